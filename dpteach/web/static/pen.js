// A pen for the lecturer: what is drawn stays with its slide until it is wiped off.

const WIDTH = 6, COLOUR = "#d55e00";

export function pen(slides, { width, height }) {
  const sheet = document.createElement("canvas"), context = sheet.getContext("2d"), drawn = new Map();
  Object.assign(sheet, { className: "pen", width, height });
  slides.append(sheet);
  let on = false, key = "", stroke = null;

  const strokes = () => drawn.get(key) ?? drawn.set(key, []).get(key);
  const line = (points) => {
    context.beginPath();
    points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.stroke();
  };
  const redraw = () => {
    context.clearRect(0, 0, width, height);
    Object.assign(context, { strokeStyle: COLOUR, lineWidth: WIDTH, lineCap: "round", lineJoin: "round" });
    strokes().forEach(line);
  };
  const hears = (name, act) => sheet.addEventListener(name, (event) => { event.stopPropagation(); act(event); });
  hears("pointerdown", (event) => {
    sheet.setPointerCapture(event.pointerId);
    strokes().push((stroke = [[event.offsetX, event.offsetY]]));
  });
  hears("pointermove", (event) => {
    if (!stroke) return;
    stroke.push([event.offsetX, event.offsetY]);
    line(stroke.slice(-2));
  });
  for (const end of ["pointerup", "pointercancel"]) hears(end, () => { stroke = null; });
  for (const touch of ["touchstart", "touchmove", "touchend"]) sheet.addEventListener(touch, (event) => event.stopPropagation(), { passive: true });

  return {
    toggle: () => { on = !on; sheet.classList.toggle("on", on); return on; },
    turn: (to) => { key = to; redraw(); }, // another slide
    wipe: () => { drawn.delete(key); redraw(); },
  };
}
