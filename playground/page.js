// The form and the answer. What a call means is the module's business: nothing here knows operators.

const byId = id => document.getElementById(id);
const kOptions = {
  'out-of-range': ['', 'error', 'zero', 'skip', 'clamp', 'modulo'],
  negative: ['', 'from_end', 'out_of_range', 'error'],
  duplicates: ['', 'allow', 'error'],
  'padding-index': null,
  strict: ['', 'true'],
};
const examples = JSON.parse(byId('examples').textContent);
let library, rows;

function element(name, properties = {}, children = []) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

function fill(select, values, chosen) {
  select.replaceChildren(...values.map(value => element('option', {value, textContent: value || 'usual'})));
  if (values.includes(chosen)) select.value = chosen;
}

function field(part, name, choices, value, placeholder = '') {
  const control = choices ? element('select') : element('input', {placeholder, spellcheck: false});
  if (choices) fill(control, unique([...choices, value || '']), value);
  else control.value = value || '';
  control.dataset[part] = name;
  return element('label', {}, [name + ' ', control]);
}

// Offers the values that an attribute may have, if they are few.
function suggest(control, values) {
  if (!values) return;
  const list = element('datalist', {id: 'values-' + control.dataset.attribute},
    values.map(value => element('option', {value})));
  control.setAttribute('list', list.id);
  control.after(list);
}

const unique = values => [...new Set(values)];
const fullName = row => row.dialect + '.' + row.name;
const rowsOf = name => rows.filter(row => fullName(row) === name);

// Shows the fields of a call: {operator, version, inputs, dtypes, attributes, options, as}. What the operator's version
// does not have gets a field too: the module says what is wrong with it.
function showCall(call) {
  const found = rowsOf(call.operator);
  const row = found.find(each => each.since === call.version) || found[found.length - 1];
  fill(byId('dialect'), unique(rows.map(each => each.dialect)), row.dialect);
  fill(byId('operator'), unique(rows.filter(each => each.dialect === row.dialect).map(each => each.name)), row.name);
  fill(byId('version'), found.map(each => String(each.since)), String(row.since));
  const names = unique(rows.map(fullName)).filter(name => name !== fullName(row));
  fill(byId('other'), ['', ...names], (call.as || [])[0]);
  byId('other').options[0].textContent = 'no other operator';
  byId('summary').textContent = row.summary + ' Shape: ' + row.shapes;
  showInputs(row, call);
  const given = call.attributes || {}, options = call.options || {};
  const attributes = unique([...Object.keys(row.attributes), ...Object.keys(given)]);
  byId('attributes').replaceChildren(...attributes.map(name =>
    field('attribute', name, null, given[name], String(row.attributes[name] ?? ''))));
  for (const control of document.querySelectorAll('[data-attribute]'))
    suggest(control, row.choices[control.dataset.attribute]);
  if (!attributes.length) byId('attributes').textContent = 'none';
  byId('options').replaceChildren(...Object.entries(kOptions).map(([name, choices]) =>
    field('option', name, choices, options[name])));
}

function showInputs(row, call) {
  const inputs = call.inputs || {}, dtypes = call.dtypes || {};
  const known = row.inputs.map(input => input.name);
  const others = Object.keys(inputs).filter(name => !known.includes(name)).map(name => ({name, dtypes: []}));
  byId('inputs').replaceChildren(...[...row.inputs, ...others].map(input => {
    const text = element('textarea', {rows: 1, value: inputs[input.name] || '', spellcheck: false});
    text.dataset.input = input.name;
    const value = element('label', {className: 'value'}, [input.name + (input.optional ? ' (optional) ' : ' '), text]);
    const type = field('dtype', input.name, ['', ...input.dtypes], dtypes[input.name]);
    type.firstChild.textContent = 'type ';
    type.lastChild.setAttribute('aria-label', 'type of ' + input.name);
    return element('div', {className: 'input'}, [value, type]);
  }));
}

function valuesOf(part) {
  const values = {};
  for (const control of document.querySelectorAll(`[data-${part}]`))
    if (control.value.trim()) values[control.dataset[part]] = control.value;
  return values;
}

function readCall() {
  return {
    operator: byId('dialect').value + '.' + byId('operator').value,
    version: Number(byId('version').value),
    inputs: valuesOf('input'), dtypes: valuesOf('dtype'), attributes: valuesOf('attribute'),
    options: valuesOf('option'), as: byId('other').value ? [byId('other').value] : [],
  };
}

// The texts of elements in row-major order as nested lists.
function nested(texts, shape) {
  if (!shape.length) return texts[0];
  const size = texts.length / (shape[0] || 1);
  const parts = [];
  for (let at = 0; at < shape[0]; ++at) parts.push(nested(texts.slice(at * size, (at + 1) * size), shape.slice(1)));
  return '[' + parts.join(shape.length > 1 ? ',\n' : ', ') + ']';
}

function showText(id, text) {
  byId(id).textContent = text;
  const part = byId(id + '-part');
  if (part) part.hidden = !text;
}

function showExplanation(answer) {
  const {output, numpy, failure} = answer.explanation;
  showMessage(failure);
  byId('type').textContent = `${output.name}: ${output.dtype} [${output.shape.join(', ')}]`;
  showText('result', output.has_values ? nested(output.values, output.shape) : failure ? 'none' : 'not known');
  showText('numpy', numpy);
  showText('onnx', answer.onnx);
  showText('text', answer.text);
  for (const button of document.querySelectorAll('[data-copies]')) button.textContent = 'Copy';
  const compared = answer.comparisons.map(item => item.error ? `${item.operator}: ${item.error.message}` : item.text);
  // A line each, the rest of a long one indented.
  const lines = compared.join('\n').split(/(?<=\n)/).map(line => element('span', {textContent: line}));
  byId('compared').replaceChildren(...lines);
  byId('compared').hidden = !compared.length;
  byId('picture').srcdoc = answer.page;
}

function showMessage(text) {
  byId('message').textContent = text;
  byId('message').hidden = !text;
}

// Selects a text and copies it where the browser allows that; what it does not copy stays selected.
async function copyText(button) {
  const text = byId(button.dataset.copies);
  getSelection().selectAllChildren(text);
  try {
    await navigator.clipboard.writeText(text.textContent);
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Selected';
  }
}

function showAnswer() {
  const call = readCall();
  const link = '#' + encodeURIComponent(JSON.stringify(call));
  byId('link').href = link;
  const answer = library.ask(call);
  byId('found').hidden = Boolean(answer.error);
  if (answer.error) showMessage(answer.error.message);
  else showExplanation(answer);
  byId('answer').setAttribute('aria-busy', 'false');
}

const exampleOf = name => ({...(examples[name] || {}), operator: name});

// The call that the address names, or the one that was put into the page; the first example without both.
function firstCall() {
  for (const text of [() => decodeURIComponent(location.hash.slice(1)), () => byId('given').textContent]) {
    try {
      const call = JSON.parse(text());
      if (rowsOf(call.operator).length) return call;
    } catch { /* no call there */ }
  }
  return exampleOf('onnx.GatherND');
}

function listen() {
  const chosen = () => byId('dialect').value + '.' + byId('operator').value;
  byId('dialect').addEventListener('change', () =>
    showCall(exampleOf(fullName(rows.find(row => row.dialect === byId('dialect').value)))));
  byId('operator').addEventListener('change', () => showCall(exampleOf(chosen())));
  byId('version').addEventListener('change', () => showCall(readCall()));
  byId('call').addEventListener('submit', event => event.preventDefault());
  for (const kind of ['input', 'change']) byId('call').addEventListener(kind, showAnswer);
  byId('link').addEventListener('click', () => navigator.clipboard && navigator.clipboard.writeText(byId('link').href));
  for (const button of document.querySelectorAll('[data-copies]'))
    button.addEventListener('click', () => copyText(button));
  window.addEventListener('hashchange', () => { showCall(firstCall()); showAnswer(); });
  byId('picture').addEventListener('load', () => {
    const body = byId('picture').contentDocument.body;
    new ResizeObserver(() => {
      byId('picture').style.height = Math.ceil(body.getBoundingClientRect().height) + 4 + 'px';
    }).observe(body);
  });
}

async function open() {
  library = await loadModule(byId('module').textContent.trim());
  rows = library.ask({ask: 'operators'}).operators;
  showCall(firstCall());
  // In a frame that was made from a text, as in a notebook, the page has no address of its own.
  byId('link').parentElement.hidden = location.protocol === 'about:';
  listen();
  showAnswer();
}

window.opened = open();
