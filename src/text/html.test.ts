import { expect, test } from 'vitest';
import { htmlToText } from './html.ts';

test('removes scripts, styles, comments, templates and noscript content', () => {
  const html = `<!doctype html><html><head><title>Tropical fish</title><style>p { color: red }</style>
    <script>if (a < b) document.write("<p>no</p>")</script></head>
    <body><!-- hidden --><noscript><p>turn it on</p></noscript><template><p>later</p></template><p>are kept</p></body></html>`;
  expect(htmlToText(html)).toBe('Tropical fish are kept');
});

test('decodes entities, named and numbered, known without a semicolon too', () => {
  expect(htmlToText('caf&eacute; &lt;b&gt; &#x1F41F; &#65;&amp;B &copy 2024')).toBe('café <b> 🐟 A&B © 2024');
});

test('breaks words at blocks, line breaks and cells, and not at inline elements', () => {
  expect(htmlToText('<p>one</p><p>two</p>three<br>four<table><tr><td>five</td><td>six</td></tr></table>')).toBe(
    'one two three four five six',
  );
  expect(htmlToText('f<b>i</b>sh<i>es</i> un<span>der</span>wa<wbr>ter long&shy;ish')).toBe(
    'fishes underwater longish',
  );
});

test('keeps paragraphs and lines where a person is to read it, and the same words', () => {
  const page =
    '<title>Fish</title><body><div><div><p>one\n two</p></div></div>\n<p>three<br>four <b>five</b></p><ul><li>six<li>seven</ul><table><tr><td>a<td>b<tr><td>c</table>';
  const text = htmlToText(page, { paragraphs: true });
  expect(text).toBe('Fish\n\none two\n\nthree\nfour five\n\nsix\nseven\n\na b\nc');
  expect(text.replace(/\s+/g, ' ')).toBe(htmlToText(page));
});

test('gives the same text for a mirror page with other links and other formatting', () => {
  const page = '<h1>Fish</h1><p>Tropical <a href="http://a.example/x">fish</a> include <b>fish</b> found&nbsp;in…</p>';
  const mirror =
    '<div class="m">\n <h2>Fish</h2>\n <!-- mirror -->\n <div>Tropical <a class=l href=/y?q=1>fish</a>\n include <em>fish</em> found in…</div></div>';
  expect(htmlToText(mirror)).toBe(htmlToText(page));
});

test('reads tag names in any case and survives broken markup', () => {
  expect(htmlToText('<P>a</P><SCRIPT>x</Script>b<p class="x>c')).toBe('a b');
  expect(htmlToText('1 < 2 and <3 <')).toBe('1 < 2 and <3 <');
  expect(htmlToText('<![CDATA[x]]>a<?php echo 1 ?>b')).toBe('ab');
});

test('shows the page again after a hidden element that was never closed', () => {
  expect(htmlToText('<head><noscript><img src=x></head><body>text</body>')).toBe('text');
});

test('leaves nested hidden elements only at the outer end', () => {
  expect(htmlToText('a<template>b<template>c</template>d</template>e')).toBe('a e');
});

test('reads 100,000 nested elements in time that grows with their number', () => {
  const depth = 100_000;
  const started = performance.now();
  expect(htmlToText(`${'<div>'.repeat(depth)}deep${'</div>'.repeat(depth)}`)).toBe('deep');
  expect(htmlToText(`${'<div>'.repeat(depth)}deep${'</i>'.repeat(depth)}`)).toBe('deep');
  expect(performance.now() - started).toBeLessThan(3000); // with a stack: 20 s and more
});
