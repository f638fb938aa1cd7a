"""The claims of Guerra-Balboa, Miranda-Pascual, Parra-Arnau and Strufe on granularities."""
