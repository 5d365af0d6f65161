"""How generated sites are marked up: six templates, two of them without any names."""
# ruff: noqa: E501 - data, one thing a line

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Theme:
    name: str
    page: str
    menu: str
    entry: str  # of a menu or a list beside the text
    widget: str
    teaser: str
    article: str
    said: str  # who wrote something, when, and where it belongs
    comments: str
    comment: str
    pager: str
    number: str  # a link to a further page
    current: str
    prose: str = "<p>{text}</p>"


_HEAD = '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>{head}</head>'

CLASSIC = Theme(
    name="classic",
    page=_HEAD + '<body class="hfeed"><div id="page" class="site"><header id="masthead" class="site-header">'
    '<p class="site-title">{site}</p>{menu}</header><div id="content" class="site-content">'
    '<main id="main" class="site-main">{main}</main><div id="secondary" class="widget-area">{side}</div></div>'
    '<footer id="colophon" class="site-footer"><div class="site-info">{foot}</div></footer></div></body></html>',
    menu='<nav id="site-navigation" class="main-navigation"><ul id="primary-menu" class="menu">{entries}</ul></nav>',
    entry='<li class="menu-item menu-item-{id}"><a href="{url}">{text}</a></li>',
    widget='<section class="widget widget_{name}"><h2 class="widget-title">{title}</h2><ul>{entries}</ul></section>',
    teaser='<article id="post-{id}" class="post-{id} post type-post hentry"><header class="entry-header">'
    '<h2 class="entry-title"><a href="{url}" rel="bookmark">{title}</a></h2><div class="entry-meta">{said}</div>'
    '</header><div class="entry-summary">{text}</div>{more}</article>',
    article='<article id="post-{id}" class="post-{id} post type-post hentry"><header class="entry-header">'
    '<h1 class="entry-title">{title}</h1><div class="entry-meta">{said}</div></header>'
    '<div class="entry-content">{text}</div><footer class="entry-footer">{after}</footer></article>',
    said='<span class="{name}-links"><a href="{url}" rel="{name}">{text}</a></span> ',
    comments='<div id="comments" class="comments-area"><ol class="comment-list">{comments}</ol></div>',
    comment='<li id="comment-{id}" class="comment depth-1"><article class="comment-body"><footer class='
    '"comment-meta"><b class="fn">{by}</b></footer><div class="comment-content">{text}</div>'
    '<div class="reply">{reply}</div></article></li>',
    pager='<nav class="navigation pagination"><div class="nav-links">{numbers}</div></nav>',
    number='<a class="page-numbers" href="{url}"{rel}>{text}</a> ',
    current='<span class="page-numbers current">{text}</span> ',
)

BEM = Theme(
    name="bem",
    page=_HEAD
    + '<body class="layout"><div class="layout__top"><a class="brand" href="/">{site}</a>{menu}</div>'
    '<div class="layout__body"><div class="layout__main">{main}</div><aside class="layout__aside">{side}</aside>'
    '</div><div class="layout__foot">{foot}</div></body></html>',
    menu='<div class="nav">{entries}</div>',
    entry='<div class="nav__item"><a class="nav__link" href="{url}">{text}</a></div>',
    widget='<div class="box box--{name}"><div class="box__title">{title}</div>{entries}</div>',
    teaser='<div class="card" data-id="{id}"><div class="card__head"><a class="card__link" href="{url}">{title}</a>'
    '</div><div class="card__body">{text}</div><div class="card__meta">{said}</div>{more}</div>',
    article='<div class="story" data-id="{id}"><h1 class="story__title">{title}</h1><div class="story__meta">{said}'
    '</div><div class="story__body">{text}</div><div class="story__tools">{after}</div></div>',
    said='<a class="meta__link meta__link--{name}" href="{url}">{text}</a> ',
    comments='<div class="talk">{comments}</div>',
    comment='<div class="talk__item"><div class="talk__by">{by}</div><div class="talk__text">{text}</div>'
    '<div class="talk__tools">{reply}</div></div>',
    pager='<div class="pager">{numbers}</div>',
    number='<a class="pager__link" href="{url}"{rel}>{text}</a> ',
    current='<span class="pager__here">{text}</span> ',
)

GRID = Theme(
    name="grid",
    page=_HEAD
    + '<body><header class="navbar navbar-light bg-light"><div class="container">{site} {menu}</div></header>'
    '<div class="container"><div class="row"><div class="col-md-8">{main}</div><div class="col-md-4">{side}</div>'
    '</div></div><footer class="py-5 bg-dark"><div class="container">{foot}</div></footer></body></html>',
    menu='<ul class="navbar-nav ml-auto">{entries}</ul>',
    entry='<li class="nav-item"><a class="nav-link" href="{url}">{text}</a></li>',
    widget='<div class="card my-4"><h5 class="card-header">{title}</h5><ul class="list-unstyled mb-0">{entries}</ul></div>',
    teaser='<div class="card mb-4"><div class="card-body"><h2 class="card-title"><a href="{url}">{title}</a></h2>'
    '<div class="card-text">{text}</div>{more}</div><div class="card-footer text-muted">{said}</div></div>',
    article='<div class="row"><div class="col-12"><h1 class="mt-4">{title}</h1><p class="lead">{said}</p>{text}'
    '<div class="btn-group">{after}</div></div></div>',
    said='<a class="text-muted" href="{url}">{text}</a> ',
    comments='<div class="mt-5">{comments}</div>',
    comment='<div class="media mb-4"><div class="media-body"><h5 class="mt-0">{by}</h5>{text} {reply}</div></div>',
    pager='<ul class="pagination justify-content-center mb-4">{numbers}</ul>',
    number='<li class="page-item"><a class="page-link" href="{url}"{rel}>{text}</a></li>',
    current='<li class="page-item active"><span class="page-link">{text}</span></li>',
)

HASHED = Theme(
    name="hashed",
    page=_HEAD + '<body><div id="root"><div class="css-1dbjc4n"><div class="css-18t94o4">{menu}</div>'
    '<div class="css-1awozwy"><main class="css-175oi2r">{main}</main><div class="css-146c3p1">{side}</div></div>'
    '<div class="css-1rynq56">{foot}</div></div></div></body></html>',
    menu='<div class="css-901oao">{entries}</div>',
    entry='<a class="css-4rbku5" href="{url}"><span class="css-16my406">{text}</span></a>',
    widget='<div class="css-1ow6zhx"><div class="css-1qaijid">{title}</div>{entries}</div>',
    teaser='<section class="css-k8kqv8"><a class="css-1loqt21" href="{url}"><h3 class="css-10fz3q0">{title}</h3>{text}</a>'
    '<div class="css-1ks3g2x">{said}</div>{more}</section>',
    article='<article class="css-1yz9ok3"><h1 class="css-1t5f0fr">{title}</h1><div class="css-1ks3g2x">{said}</div>'
    '<div class="css-5j8kxd">{text}</div><div class="css-1q142lx">{after}</div></article>',
    said='<a class="css-9aw3ui" href="{url}">{text}</a> ',
    comments='<div class="css-1kihuf0">{comments}</div>',
    comment='<div class="css-7sq3vn"><span class="css-1h8ys4a">{by}</span>{text}<span class="css-14gqq1x">{reply}</span></div>',
    pager='<div class="css-1habvwh">{numbers}</div>',
    number='<a class="css-1phboty" href="{url}"{rel}>{text}</a> ',
    current='<b class="css-eafdt9">{text}</b> ',
)

PLAIN = Theme(
    name="plain",
    page=_HEAD + "<body><header>{site} {menu}</header><main>{main}</main><aside>{side}</aside>"
    "<footer>{foot}</footer></body></html>",
    menu="<nav><ul>{entries}</ul></nav>",
    entry='<li><a href="{url}">{text}</a></li>',
    widget="<section><h3>{title}</h3><ul>{entries}</ul></section>",
    teaser='<article><h2><a href="{url}">{title}</a></h2>{text}<p>{said}</p>{more}</article>',
    article="<article><h1>{title}</h1><p>{said}</p>{text}<p>{after}</p></article>",
    said='<a href="{url}">{text}</a> ',
    comments="<section>{comments}</section>",
    comment="<article><h4>{by}</h4>{text}<p>{reply}</p></article>",
    pager="<p>{numbers}</p>",
    number='<a href="{url}"{rel}>{text}</a> ',
    current="<b>{text}</b> ",
)

TABLES = Theme(
    name="tables",
    page=_HEAD
    + "<body><table><tr><td colspan=2>{site} {menu}</td></tr><tr><td>{side}</td><td>{main}</td></tr>"
    "<tr><td colspan=2>{foot}</td></tr></table></body></html>",
    menu="<center>{entries}</center>",
    entry='<a href="{url}">{text}</a> | ',
    widget="<table><tr><th>{title}</th></tr><tr><td>{entries}</td></tr></table>",
    teaser='<table><tr><td><b><a href="{url}">{title}</a></b></td></tr><tr><td>{text}</td></tr>'
    "<tr><td>{said} {more}</td></tr></table>",
    article="<h1>{title}</h1><p>{said}</p>{text}<p>{after}</p>",
    said='<a href="{url}">{text}</a> ',
    comments="<table>{comments}</table>",
    comment="<tr><td>{by}</td><td>{text} {reply}</td></tr>",
    pager="<p>{numbers}</p>",
    number='<a href="{url}"{rel}>{text}</a> ',
    current="<b>{text}</b> ",
    prose="<p>{text}</p>",
)

THEMES = (CLASSIC, BEM, GRID, HASHED, PLAIN, TABLES)
