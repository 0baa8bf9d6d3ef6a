#!/usr/bin/env node
/** The process `neardup`: signals are heard before anything else is loaded, which takes a while. */
import { listenForSignals } from './app/signals.ts';

const onInterrupt = listenForSignals(process);
const { start } = await import('./app/start.ts');
await start(onInterrupt);
