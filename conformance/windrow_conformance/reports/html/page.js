"use strict";
// Shows the failures that the page holds as data. Text becomes part of the page through textContent alone.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const form = document.getElementById("filters");
  const list = document.getElementById("causes");
  const found = document.getElementById("found");
  // Causes that are shown at once.
  const step = 100;
  const choices = ["runtime", "operator", "tier", "outcome"];
  const filters = {};

  function element(name, text, kind) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  }

  function counted(count, name) {
    return `${count.toLocaleString("en")} ${name}${count === 1 ? "" : "s"}`;
  }

  function labelled(name, control) {
    const label = element("label", name);
    control.addEventListener("input", () => show(step));
    filters[name] = control;
    label.append(control);
    form.append(label);
  }

  function makeFilters() {
    for (const name of choices) {
      const select = element("select");
      const anything = element("option", "all");
      anything.value = "";
      select.append(anything);
      for (const value of new Set(data.causes.map((cause) => cause[name]))) {
        const option = element("option", value);
        option.value = value;
        select.append(option);
      }
      labelled(name, select);
    }
    const search = element("input");
    search.type = "search";
    search.placeholder = "record, rule or message";
    labelled("search", search);
    form.addEventListener("submit", (event) => event.preventDefault());
  }

  function holds(cause, word) {
    const texts = [cause.rule, data.sentences[cause.rule] || "", ...cause.others];
    for (const record of cause.records) texts.push(record.path, record.message || "");
    return texts.some((text) => text.toLowerCase().includes(word));
  }

  function chosen() {
    const word = filters.search.value.trim().toLowerCase();
    return data.causes.filter(
      (cause) =>
        choices.every((name) => !filters[name].value || cause[name] === filters[name].value) &&
        (!word || holds(cause, word)),
    );
  }

  function definition(terms, name, text, tag) {
    if (!text) return;
    terms.append(element("dt", name));
    const value = element("dd", tag ? undefined : text);
    if (tag) value.append(element(tag, text));
    terms.append(value);
  }

  function recordDetails(cause, record) {
    const details = element("details", undefined, "record");
    details.append(element("summary", record.path));
    const terms = element("dl");
    const call = Object.hasOwn(data.details, record.path) ? data.details[record.path] : { inputs: [] };
    definition(terms, "call", call.call);
    definition(terms, "attributes", call.attributes);
    call.inputs.forEach((input, at) => definition(terms, `input ${at}`, input));
    definition(terms, "expected", call.expected);
    definition(terms, "got", record.got || (record.message ? "" : cause.outcome));
    definition(terms, "message", record.message);
    definition(terms, "note", call.note);
    definition(terms, "reproduction", record.reproduction, "pre");
    details.append(terms);
    return details;
  }

  function fillCause(cause, details) {
    const sentence = data.sentences[cause.rule];
    const rule = element("p");
    rule.append(element("code", cause.rule), sentence ? `: ${sentence}` : "");
    details.append(rule);
    for (const record of cause.records) details.append(recordDetails(cause, record));
    if (cause.others.length) {
      const others = element("details");
      others.append(element("summary", `${cause.others.length} more names`), element("p", cause.others.join(", ")));
      details.append(others);
    }
    const left = cause.count - cause.records.length - cause.others.length;
    if (left > 0) details.append(element("p", `${left} more are in the run's JSON alone.`, "soft"));
  }

  function causeDetails(cause) {
    const details = element("details", undefined, "cause");
    const summary = element("summary");
    const badge = element("span", undefined, "badge");
    badge.append(element("span", undefined, `swatch ${cause.word === cause.outcome ? cause.kind : "different"}`), cause.word);
    summary.append(badge, ` ${cause.runtime} · ${cause.operator} · `, element("code", cause.rule), ` · ${cause.tier} · `);
    summary.append(counted(cause.count, "record"));
    details.append(summary);
    details.addEventListener("toggle", () => details.children.length === 1 && fillCause(cause, details));
    return details;
  }

  function show(most) {
    const causes = chosen();
    const records = causes.reduce((sum, cause) => sum + cause.count, 0);
    found.textContent = causes.length
      ? `${counted(records, "record")} in ${counted(causes.length, "group")} of one operator, rule and outcome`
      : "No failing record.";
    if (data.left_out) found.textContent += `; ${data.left_out.toLocaleString("en")} more are in the run's JSON alone`;
    list.replaceChildren(...causes.slice(0, most).map(causeDetails));
    if (causes.length > most) {
      const more = element("button", "Show more");
      more.type = "button";
      more.addEventListener("click", () => show(most + step));
      list.append(more);
    }
  }

  // An address of the form #failures&runtime=..&operator=..&tier=.. sets the filters.
  function readAddress() {
    const [place, ...parts] = location.hash.slice(1).split("&");
    if (place !== "failures" || !parts.length) return;
    const wanted = new URLSearchParams(parts.join("&"));
    for (const name of choices) filters[name].value = wanted.get(name) || "";
    filters.search.value = "";
    show(step);
    document.getElementById("failures").scrollIntoView();
    form.querySelector("select").focus({ preventScroll: true });
  }

  makeFilters();
  show(step);
  readAddress();
  window.addEventListener("hashchange", readAddress);
})();
