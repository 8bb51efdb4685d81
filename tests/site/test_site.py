"""The site that ./dev docs makes: links, what is found from its first page, search, without a network."""

import ast
import importlib
import json
import pathlib
import re

import pytest
import site_labels
import site_python
from check_site import Site

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = site_python.public_modules()

SCREENS = {"narrow": 390, "wide": 1280}
# What is looked for, the links of the main text to follow, at most two, and words that are then on the page.
ROUTES = {
    "install": (["Install and first call"], "pip install dist/windrow_ops"),
    "first call": (["Install and first call"], ">>> windrow.take(table, [3, -4], axis=0)"),
    "an operator's exact rule": (["ONNX", "GatherND"], "0 <= batch_dims < min(q, r)"),
    "an error's label": (["Look up the label of an error", "ONNX-Gather-C3"], "C3 Every index is in [-s, s-1]"),
}
CLICK = """(words => {
    const link = [...document.querySelectorAll('article a')].find(link => link.textContent.trim() === words);
    if (!link) return false;
    link.click();
    return true;
})(%s)"""
# The text of the page's part that the address names, or of all of it.
READ = """(() => {
    const named = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    return (named ? named.closest('li, section') || named : document.querySelector('article') || document.body).textContent;
})()"""


@pytest.fixture(params=SCREENS)
def screen(request, browser):
    """The browser with a screen of that width."""
    size = {"width": SCREENS[request.param], "height": 900, "deviceScaleFactor": 1}
    browser.call("Emulation.setDeviceMetricsOverride", **size, mobile=request.param == "narrow")
    yield browser
    browser.call("Emulation.clearDeviceMetricsOverride")


def test_links_lead_somewhere_and_nothing_is_loaded_from_outside(site):
    assert list(Site(site).faults()) == []


def test_a_dead_link_and_a_foreign_script_are_found(tmp_path):
    (tmp_path / "index.html").write_text(
        '<a href="gone.html">x</a> <a href="#gone">x</a> <script src="https://example.org/x.js"></script>'
        '<style>@import "https://example.org/x.css";</style> <a href="https://example.org/">x</a>'
    )
    assert list(Site(tmp_path).faults()) == [
        "index.html: loads https://example.org/x.js",
        "index.html: #gone: there is no such element",
        "index.html: gone.html: there is no such file",
        'index.html: loads @import "https://example.org/x.css',
    ]


@pytest.mark.parametrize("goal", ROUTES)
def test_found_by_two_clicks_from_the_first_page(goal, screen, site):
    links, words = ROUTES[goal]
    assert len(links) <= 2
    screen.open(site / "index.html")
    for link in links:
        before = screen.run("location.href")
        assert screen.run(CLICK % json.dumps(link)), f"{before} has no link {link!r}"
        screen.wait_until(f"location.href !== {json.dumps(before)} && document.readyState === 'complete'")
    assert words in screen.run(READ)


def test_the_first_page_answers_in_order_and_fits(screen, site):
    screen.open(site / "index.html")
    headings = screen.run("[...document.querySelectorAll('article h1, article h2')].map(each => each.firstChild.textContent)")
    assert headings == ["Windrow", "Does it concern me?", "See it", "Try it", "Trust it"]
    assert screen.run("document.querySelectorAll('#does-it-concern-me li').length") == 3
    assert screen.run("document.querySelector('#see-it a:has(img)').getAttribute('href')") == "playground.html"
    assert screen.run("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("page", ["onnx", "openvino", "tensorrt", "array"])
def test_each_operator_opens_in_the_playground(page, site):
    from write_site_source import gallery_calls, playground_link

    text = (site / f"operators/{page}.html").read_text(encoding="utf-8").replace("&quot;", '"').replace("&amp;", "&")
    calls = [call for name, listed in gallery_calls().items() if name.startswith(page + ".") for call, _ in listed]
    assert calls
    for call in calls:
        assert f'href="../{playground_link(call)}"' in text, call


def test_a_link_to_the_playground_brings_its_call(browser, site):
    browser.open(site / "operators/onnx.html")
    wanted = json.loads(browser.run("decodeURIComponent(document.querySelector('#gathernd a.playground').hash.slice(1))"))
    browser.run("document.querySelector('#gathernd a.playground').click()")
    browser.wait_until("location.href.includes('playground.html') && document.readyState === 'complete'")
    if not browser.run("typeof opened === 'object'"):
        pytest.skip("this site was made without the playground")
    browser.call("Runtime.evaluate", expression="opened.then(() => true)", awaitPromise=True)
    read = browser.run("readCall()")
    assert (read["operator"], read["inputs"]) == (wanted["operator"], wanted["inputs"])


@pytest.mark.parametrize(("words", "page"), [("padding_index", "tutorials/padding"), ("ScatterND", "operators/onnx")])
def test_the_search_finds_pages_without_a_network(words, page, browser, site):
    """A page opened as a file, whose search is a script beside it."""
    browser.open(site / "search.html")
    browser.run(f"location.search = '?q={words}'")
    browser.wait_until(f"[...document.querySelectorAll('#search-results a')].some(a => a.href.includes('{page}.html'))")


@pytest.mark.parametrize(
    ("page", "name"),
    [("reference/cpp/onnx", "gather_nd"), ("reference/c", "windrow_error_free"), ("reference/python/windrow", "windrow.take")],
)
def test_the_references_have_the_declarations(page, name, site):
    text = pathlib.Path(site / f"{page}.html").read_text(encoding="utf-8")
    declared = [part.partition(">")[0] for part in text.split('<dt class="sig')[1:]]
    assert any(name in part for part in declared), f"{page} declares no {name}"


def exports(name):
    """What a public module exports; the list of a dialect's functions is made from the operator table."""
    try:
        listed = ast.literal_eval(site_python.list_of(MODULES[name]))
    except ValueError:
        listed = importlib.import_module(name).__all__
    late = [each for each, module in site_python.loaded_on_first_use(MODULES[name])]
    return [each for each in (*listed, *late) if not each.startswith("__")]


def test_every_module_that_can_be_named_says_what_it_exports():
    """Those of the conformance kit that do not are for itself."""
    named = {name for name, _ in site_python.sources() if name.startswith("windrow.") and site_python.is_public(name)}
    assert named - set(MODULES) == set()


@pytest.mark.parametrize("module", MODULES)
def test_every_public_name_of_python_has_an_entry(module, site):
    page = (site / f"reference/python/{module}.html").read_text(encoding="utf-8")
    entries = re.findall(r'<dl class="py (\w+)">\s*<dt class="sig[^"]*" id="([^"]*)">.*?<dd>(\s*<p>)?', page, re.DOTALL)
    named = {f"{module}.{name}" for name in exports(module)} - set(MODULES)
    assert named
    assert named - {name for _, name, _ in entries} == set()
    assert [name for kind, name, text in entries if not text and kind not in ("attribute", "data")] == []


def test_a_class_of_a_host_that_is_not_there_has_its_own_signature(site):
    page = re.sub("<[^>]*>", "", (site / "reference/python/windrow.torch.html").read_text(encoding="utf-8"))
    assert re.search(r"class windrow\.torch\.ShardedEmbedding\(table, ", page)


def test_every_public_header_has_a_page(site):
    pages = [*(site / "reference/cpp").glob("*.html"), site / "reference/c.html"]
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    headers = [header.name for header in (ROOT / "include/windrow").glob("*.h")]
    assert [name for name in headers if f"<h1>windrow/{name}<" not in text and f"<h2>windrow/{name}<" not in text] == []


def test_every_label_leads_to_its_rule(site):
    page = (site / "reference/labels.html").read_text(encoding="utf-8")
    links = re.findall(r'<a href="\.\./operators/(\w+)\.html#([^"]*)">([A-Z]+-[^<]*)</a>', page)
    for dialect in ("onnx", "openvino", "tensorrt", "array"):
        known = site_labels.labels((ROOT / f"docs/operators/{dialect}.md").read_text(encoding="utf-8"))
        led = {label: anchor for place, anchor, label in links if place == dialect}
        assert led.keys() == known.keys()
        assert list(led) == list(led.values())


def test_the_readme_answers_in_the_order_of_the_first_page():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)", text, re.MULTILINE)
    assert headings[:4] == ["Does it concern you?", "See it", "Try it", "Trust it"]
    part = dict(re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL))
    assert len(re.findall(r"^\* ", part["Does it concern you?"], re.MULTILINE)) == 3
    assert re.search(r"\[!\[[^]]*\]\([^)]*\.svg\)\]\([^)]*the-playground\)", part["See it"])
    assert len(re.findall(r"^\$ ", part["Try it"], re.MULTILINE)) == 1
    assert "$ ./dev evidence" in part["Trust it"]
    assert "$ ./dev demo\n$ ./dev test\n" in part["Trust it"]
