import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeText, type Html, html } from './html.ts';

const hostile = fc.constantFrom('<', '>', '"', "'", '&', '`', '\0', '\ud800', '\udc1f', 'a', ' ', '🐟');

describe('html', () => {
  it('takes strings as text and HTML as HTML', () => {
    expect(html`<p title="${'"x"'}">${'a < b & c'}${html`<br>`}${7}</p>`.markup).toBe(
      '<p title="&quot;x&quot;">a &lt; b &amp; c<br>7</p>',
    );
  });

  it('joins lists and leaves out false and undefined', () => {
    expect(html`${['<', html`<i>`, ['>']]}${false}${undefined}`.markup).toBe('&lt;<i>&gt;');
  });

  it('puts nothing into markup that could open a tag or close a quote, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: hostile }), text => {
        expect(html`${text}`.markup).not.toMatch(/[<>"']/);
      }),
    );
  });

  it('does not take an object that looks like HTML for it', () => {
    expect(html`${{ markup: '<script>' } as unknown as Html}`.markup).toBe('');
  });
});

describe('escapeText', () => {
  it('shows control characters as pictures and half surrogate pairs as replacement characters', () => {
    expect(escapeText('a\0b\x1b\x7f\x85')).toBe('a␀b␛␡�');
    expect(escapeText('\ud83d 🐟 \udc1f')).toBe('� 🐟 �');
    expect(escapeText('tab\tline\n')).toBe('tab\tline\n');
  });
});
