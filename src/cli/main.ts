#!/usr/bin/env node
/** The process `neardup`: signals are heard before anything else is loaded, which takes a while. */
import { listenForSignals } from './signals.ts';

const onInterrupt = listenForSignals(process);
const { start } = await import('./start.ts');
await start(onInterrupt);
