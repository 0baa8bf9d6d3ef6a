import { describe, expect, test } from 'vitest';
import { bandCurve, matchCurve } from '../lsh/curve.ts';
import { drawAsSvg } from './curve-svg.ts';
import { plotInTerminal, showProbability } from './curve-terminal.ts';

const bands = { label: '20 bands of 5', curve: bandCurve(20, 5) };
const minima = { label: '90 of 100', curve: matchCurve(90, 100) };
const mark = { similarity: 0.8, label: 'threshold 0.8' };
const probability = 'probability of being found';

describe('the plot in the terminal', () => {
  test('rises from the lower left to the upper right and marks the threshold', () => {
    const lines = plotInTerminal({ curves: [bands], mark, probability }).split('\n');
    expect(lines[0]).toBe(probability);
    expect(lines[1]).toMatch(/^1\.00 ┤ +●+$/);
    expect(lines[17]).toMatch(/^0\.00 ┤●+ +┊$/);
    expect(lines.at(-1)).toMatch(/threshold 0\.8 ▲$/);
    // the arrow stands under the line it names
    expect(lines.at(-1)!.indexOf('▲')).toBe(lines[10]!.indexOf('┊'));
  });

  test('has a mark in every row of a steep curve, so that the line has no holes', () => {
    const lines = plotInTerminal({ curves: [minima], probability })
      .split('\n')
      .slice(1, 18);
    for (const line of lines) expect(line).toContain('●');
  });

  test('tells several curves apart and names them', () => {
    const plot = plotInTerminal({ curves: [bands, minima], mark: { similarity: 0.2, label: 'here' }, probability });
    expect(plot).toContain('● 20 bands of 5');
    expect(plot).toContain('○ 90 of 100');
    expect(plot).toContain('▲ here');
  });
});

describe('the picture', () => {
  const svg = drawAsSvg({ curves: [bands], mark, probability, title: 'a < b & "c"', description: 'an S' });

  test('says in words what it shows', () => {
    expect(svg).toContain('role="img" aria-labelledby="title description"');
    expect(svg).toContain('<title id="title">a &#60; b &#38; &#34;c&#34;</title>');
    expect(svg).toContain('<desc id="description">an S</desc>');
    expect(svg).toContain('>similarity</text>');
    expect(svg).toContain(`>${probability}</text>`);
  });

  test('marks the threshold with the value reached there', () => {
    expect(svg).toContain('>threshold 0.8</text>');
    expect(svg).toContain('>0.99964</text>');
  });

  test('refers to nothing outside itself', () => {
    expect(svg.match(/https?:[^"]*/g)).toEqual(['http://www.w3.org/2000/svg']);
    expect(svg).not.toMatch(/href|url\(|<script|<style/);
  });

  test('closes every element it opens', () => {
    const open: string[] = [];
    for (const [, end, name, empty] of svg.matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>/g)) {
      if (end) expect(open.pop()).toBe(name);
      else if (!empty) open.push(name!);
    }
    expect(open).toEqual([]);
  });

  test('has a legend and a dash for each when there are several curves', () => {
    const several = drawAsSvg({ curves: [bands, minima], mark, probability, title: 't', description: 'd' });
    expect(several).toContain('>20 bands of 5: 0.99964 at 0.8</text>');
    expect(several).toContain('>90 of 100: 0.005696 at 0.8</text>');
    expect(new Set(several.match(/<path [^>]*stroke-dasharray="[^"]*"/g)).size).toBe(2);
  });
});

test.each([
  [0, '0'],
  [1, '1'],
  [0.9999512, '0.999951'],
  [0.583156, '0.5832'],
  [0.0057, '0.0057'],
  [1.5016e-17, '1.502e-17'],
  [0.99964, '0.99964'],
])('the probability %d is shown as %s', (value, shown) => {
  expect(showProbability(value)).toBe(shown);
});
