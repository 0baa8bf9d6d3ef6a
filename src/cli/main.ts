#!/usr/bin/env node
/** The process `neardup`: signals are heard before anything else is loaded, which takes a while. */
import { readVersion } from '../files/package.ts';
import { listenForSignals } from './app/signals.ts';

const onInterrupt = listenForSignals(process);
const [first, ...others] = process.argv.slice(2);
if (first === '--version' && others.length === 0) process.stdout.write(`${readVersion()}\n`);
else {
  const { start } = await import('./app/start.ts');
  await start(onInterrupt);
}
