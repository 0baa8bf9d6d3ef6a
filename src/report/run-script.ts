/** The one script of the page of a run: a filter, and decisions that are saved as `decisions.jsonl`. The page reads well without it. */
import { createHash } from 'node:crypto';

/** What it finds is already text of the page; it never makes markup of it. */
export const runScript = `
'use strict';
const pairs = [...document.querySelectorAll('.pair')];
const tools = document.getElementById('tools');
const decided = new Map();
const history = [];
let saved = true;

const keyOf = pair => pair.dataset.pair;
const alike = new Map();
for (const pair of pairs)
  if (keyOf(pair)) alike.set(keyOf(pair), [...(alike.get(keyOf(pair)) ?? []), pair]);

function decide(pair, verdict) {
  const key = keyOf(pair);
  if (!key || decided.get(key) === verdict) return;
  history.push({ pair, before: decided.get(key) });
  change(key, verdict);
}

function undo() {
  const last = history.pop();
  if (!last) return;
  change(keyOf(last.pair), last.before);
  show(last.pair);
}

function change(key, verdict) {
  // Taking back what was never saved needs no line.
  if (verdict) decided.set(key, verdict); else decided.delete(key);
  saved = decided.size === 0;
  for (const one of alike.get(key)) {
    one.dataset.verdict = verdict ?? '';
    const badge = one.querySelector('.badge');
    badge.textContent = verdict ?? '';
    for (const button of one.querySelectorAll('.decide button'))
      button.setAttribute('aria-pressed', String(button.value === (verdict ?? '')));
  }
  const count = decided.size;
  document.getElementById('decided').textContent = count === 0 ? 'Nothing decided yet' : count + (count === 1 ? ' pair decided' : ' pairs decided');
  document.getElementById('save').disabled = count === 0;
  filter();
}

function buttonOf(value, label, pair) {
  const button = document.createElement('button');
  button.type = 'button';
  button.value = value;
  button.textContent = label;
  button.setAttribute('aria-pressed', 'false');
  button.onclick = () => decide(pair, decided.get(keyOf(pair)) === value ? undefined : value);
  return button;
}

for (const pair of pairs) {
  if (!keyOf(pair)) continue;
  const badge = document.createElement('span');
  badge.className = 'badge';
  pair.querySelector('summary').append(badge);
  const bar = document.createElement('div');
  bar.className = 'decide';
  bar.append(buttonOf('same', 'Same', pair), buttonOf('different', 'Different', pair));
  pair.querySelector('.open').prepend(bar);
}

const relations = new Map(pairs.map(pair => [pair, pair.querySelector('.relation').textContent]));
const words = new Map(pairs.map(pair => [pair, pair.textContent.toLowerCase()]));
function filter() {
  const wanted = document.getElementById('filter').value.trim().toLowerCase();
  const relation = document.getElementById('relation').value;
  const open = document.getElementById('undecided').checked;
  let shown = 0;
  for (const pair of pairs) {
    const cluster = pair.closest('.cluster');
    const name = cluster ? cluster.querySelector('summary').textContent.toLowerCase() : '';
    pair.hidden = !((wanted === '' || words.get(pair).includes(wanted) || name.includes(wanted)) &&
      (relation === '' || relations.get(pair) === relation) && !(open && decided.has(keyOf(pair))));
    if (!pair.hidden) shown++;
  }
  for (const cluster of document.querySelectorAll('.cluster'))
    cluster.hidden = !cluster.querySelector('.pair:not([hidden])');
  document.getElementById('shown').textContent = shown === pairs.length ? '' : shown + ' of ' + pairs.length + ' shown';
}

function save() {
  const at = new Date().toISOString();
  const lines = [...decided].map(([key, verdict]) => {
    const [a, b, contents] = JSON.parse(key);
    return JSON.stringify({ a, b, verdict, ...(verdict === 'same' && { keep: b }), at, contents }) + '\\n';
  });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob(lines, { type: 'application/x-ndjson' }));
  link.download = 'decisions.jsonl';
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  saved = true;
}

function move(step) {
  const visible = pairs.filter(pair => !pair.hidden && pair.offsetParent);
  const now = visible.indexOf(document.activeElement.closest('.pair'));
  const next = visible[now < 0 ? 0 : Math.max(0, Math.min(visible.length - 1, now + step))];
  if (!next) return;
  if (now >= 0 && visible[now] !== next) visible[now].open = false;
  show(next);
}

function show(pair) {
  pair.open = true;
  pair.querySelector('summary').focus({ preventScroll: true });
  pair.scrollIntoView({ block: 'nearest' });
}

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches('input:not([type=radio]):not([type=checkbox]), select')) return;
  if (event.key === 'j') return move(1);
  if (event.key === 'k') return move(-1);
  if (event.key === 'u') return undo();
  const pair = document.activeElement.closest('.pair');
  if (!pair) return;
  if (event.key === 's') decide(pair, 'same');
  else if (event.key === 'd') decide(pair, 'different');
  else return;
  move(1);
});
addEventListener('beforeunload', event => { if (!saved) event.preventDefault(); });
for (const id of ['filter', 'relation', 'undecided']) document.getElementById(id).addEventListener('input', filter);
document.getElementById('save').onclick = save;
tools.hidden = false;
filter();
`;

/** What the policy of the page allows to run, and nothing else. */
export const runScriptSource = `'sha256-${createHash('sha256').update(runScript).digest('base64')}'`;
