#!/usr/bin/env node
/** The process `neardup`: signals are heard before anything else is loaded, which takes a while. */
import { setFlagsFromString } from 'node:v8';
import { readVersion } from '../files/package.ts';
import { listenForSignals } from './app/signals.ts';

const onInterrupt = listenForSignals(process);
const [first, ...others] = process.argv.slice(2);
// Node 20 has no compiler between the quick and the optimising one, and optimises early: of a run of seconds that takes a tenth. Four
// times as late is best for runs; a service lives long enough. Later versions have Maglev, and not this flag.
if (first !== 'serve' && process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=528000');
if (first === '--version' && others.length === 0) process.stdout.write(`${readVersion()}\n`);
else {
  const { start } = await import('./app/start.ts');
  await start(onInterrupt);
}
