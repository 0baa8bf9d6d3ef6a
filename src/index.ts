/** The public surface of `neardup`: all of `neardup/browser`, and what needs Node. */

export * from './browser.ts';
