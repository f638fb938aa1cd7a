"""The claims of Hartmann, Bindschaedler and West on the generalized composition experiment."""
