#include "src/explain/page_parts.h"

namespace windrow::internal {

const std::string_view kExplanationStyle = R"css(
body { margin: 0 auto; padding: 1rem; max-width: 80rem; background: var(--page); color: var(--text);
font: 0.95rem/1.45 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.4rem; overflow-wrap: anywhere; }
h2 { margin: 1.5rem 0 0.25rem; font-size: 1.05rem; }
p { margin: 0.25rem 0; }
.soft, figcaption span, caption, th { color: var(--soft); }
pre { margin: 0.25rem 0; white-space: pre-wrap; }
code, pre, td, li { font-family: ui-monospace, monospace; overflow-wrap: anywhere; }
.tensors, .slices { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; align-items: flex-start; }
figure { margin: 0.75rem 0 0; max-width: 100%; }
.slices { overflow-x: auto; padding: 2px 0.75rem 1rem 2px; gap: 0.75rem 1.25rem; }
table { border-collapse: separate; border-spacing: 2px; }
caption, th, figcaption span { font-size: 0.8rem; font-weight: normal; text-align: center; }
caption { text-align: left; white-space: nowrap; }
td[id] { position: relative; min-width: 2.1rem; height: 2.1rem; box-sizing: border-box; padding: 0 0.25rem 0.1rem;
border: 1px solid var(--line); border-radius: 3px; background: var(--card); text-align: center; font-size: 0.85rem;
white-space: nowrap; overflow-wrap: normal; }
small { display: flex; justify-content: space-between; gap: 0.4em; height: 1.2em; font-size: 0.65rem; line-height: 1.2; }
small i { font-style: normal; }
.negative span { text-decoration: underline dotted; }
.outside { outline: 2px dashed var(--text); }
td span { display: block; min-height: 1.4em; }
.duplicate { box-shadow: inset 0 0 0 1px var(--page), inset 0 0 0 3px var(--text); }
td.waiting { background: var(--card) !important; color: var(--text) !important; }
.waiting small { visibility: hidden; }
td.read, td.source, td.target, td:focus { outline: 3px solid var(--focus); outline-offset: 0; z-index: 1; }
td.read::after, td.source::after, td.target::after { position: absolute; left: -1px; top: 100%; z-index: 2;
padding: 0 3px; background: var(--focus); color: var(--page); font: bold 0.65rem/1.3 system-ui, sans-serif; }
td.read::after { content: "index"; }
td.source::after { content: "source"; }
td.target::after { content: "target"; }
#said { position: sticky; top: 0; z-index: 3; height: 4.5em; margin: 0.75rem 0; padding: 0.4rem 0.75rem;
background: var(--card); border: 1px solid var(--line); border-radius: 4px; font-family: ui-monospace, monospace;
font-size: 0.85rem; white-space: pre-line; overflow-wrap: anywhere; overflow-y: auto; }
@media (max-width: 40rem) { #said { height: 7.5em; } }
button { font: inherit; padding: 0.2rem 0.7rem; color: var(--text); background: var(--card); border: 1px solid var(--line);
border-radius: 4px; }
button:disabled { opacity: 0.5; }
#points { padding-left: 0; list-style: none; font-size: 0.85rem; }
#points li { padding: 0.1rem 0.4rem; border-left: 3px solid transparent; }
#points .on { border-color: var(--focus); background: var(--card); }
)css";

const std::string_view kExplanationScript = R"js(
'use strict';
const byId = id => document.getElementById(id);
const said = byId('said'), steps = byId('steps');
const output = [...document.querySelectorAll('[data-role=output] td[id]')];
const points = [...document.querySelectorAll('#points li')].map(line => ({
  line, read: (line.dataset.read || '').split(' ').filter(id => id),
  source: line.dataset.source, target: line.dataset.target,
  before: line.dataset.before, after: line.dataset.after}));
const ofCell = {};
for (const point of points)
  for (const id of new Set([...point.read, point.source, point.target]))
    if (id) (ofCell[id] = ofCell[id] || []).push(point);

function show(chosen, otherwise) {
  for (const cell of document.querySelectorAll('td.read, td.source, td.target'))
    cell.classList.remove('read', 'source', 'target');
  for (const point of points) point.line.classList.toggle('on', chosen.includes(point));
  for (const point of chosen) {
    for (const id of point.read) byId(id).classList.add('read');
    if (point.source) byId(point.source).classList.add('source');
    if (point.target) byId(point.target).classList.add('target');
  }
  said.textContent = chosen.length ? chosen.map(point => point.line.textContent).join('\n') : otherwise;
}
function showCell(cell) {
  show(ofCell[cell.id] || [], cell.getAttribute('aria-label') + ': no point that is followed here.');
}
for (const cell of document.querySelectorAll('td[id]')) {
  cell.addEventListener('mouseenter', () => showCell(cell));
  cell.addEventListener('focus', () => {
    for (const other of output) other.tabIndex = other === cell ? 0 : -1;
    showCell(cell);
  });
}
for (const point of points) point.line.addEventListener('mouseenter', () => show([point]));

const moves = {ArrowRight: () => 1, ArrowLeft: () => -1, ArrowDown: row => row, ArrowUp: row => -row};
document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const at = output.indexOf(document.activeElement);
  if (moves[event.key] && at >= 0) {
    const row = output[at].parentNode.querySelectorAll('td[id]').length;
    const next = output[at + moves[event.key](row)];
    if (next) next.focus();
    event.preventDefault();
  }
  if (steps && event.key === 'n') step(done + 1);
  if (steps && event.key === 'p') step(done - 1);
});

let done = points.length;
const text = id => byId(id).querySelector('span');
const last = {}, first = {};
for (const {target, before} of points)
  if (target && !(target in first)) {
    first[target] = before;
    last[target] = text(target).textContent;
  }
function step(count) {
  if (count < 0 || count > points.length) return;
  done = count;
  for (const id in first) {
    text(id).textContent = first[id];
    byId(id).classList.add('waiting');
  }
  for (const {target, after} of points.slice(0, done))
    if (target) {
      text(target).textContent = after;
      byId(target).classList.remove('waiting');
    }
  if (done === points.length) for (const id in last) text(id).textContent = last[id];
  byId('back').disabled = byId('start').disabled = done === 0;
  byId('next').disabled = byId('end').disabled = done === points.length;
  byId('done').textContent = done + ' of ' + points.length + ' writes done';
  show(done ? [points[done - 1]] : [], 'Before the first write.');
}
if (steps) {
  steps.hidden = false;
  byId('start').onclick = () => step(0);
  byId('back').onclick = () => step(done - 1);
  byId('next').onclick = () => step(done + 1);
  byId('end').onclick = () => step(points.length);
}
)js";

}  // namespace windrow::internal
