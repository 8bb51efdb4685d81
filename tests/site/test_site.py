"""The site that ./dev docs makes: links, what is found from its first page, search, without a network."""

import json
import pathlib

import pytest
from check_site import Site

SCREENS = {"narrow": 390, "wide": 1280}
# What is looked for, the links of the main text to follow, at most two, and words that are then on the page.
ROUTES = {
    "install": (["Install and first call"], "pip install dist/windrow_ops"),
    "first call": (["Install and first call"], ">>> windrow.take(table, [3, -4], axis=0)"),
    "an operator's exact rule": (["ONNX", "GatherND"], "0 <= batch_dims < min(q, r)"),
    "an error's label": (["Look up the label of an error"], "onnx.Gather-13 [ONNX-Gather-C3]"),
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
    return (named ? named.closest('section') || named : document.querySelector('article') || document.body).textContent;
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
    [("reference/cpp/onnx", "gather_nd"), ("reference/c", "windrow_error_free"), ("reference/python", "windrow.take")],
)
def test_the_references_have_the_declarations(page, name, site):
    text = pathlib.Path(site / f"{page}.html").read_text(encoding="utf-8")
    declared = [part.partition(">")[0] for part in text.split('<dt class="sig')[1:]]
    assert any(name in part for part in declared), f"{page} declares no {name}"
