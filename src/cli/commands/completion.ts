/** `neardup completion`: the command definitions → a completion script for the shell. */
import { command } from '../app/command.ts';

export const completionCommand = command({
  name: 'completion',
  summary: 'print a completion script for a shell',
  arguments: [{ name: 'shell', help: 'bash, zsh or fish', choices: ['bash', 'zsh', 'fish'] }],
  options: [],
  flags: {},
  examples: [
    'source <(neardup completion bash)',
    'neardup completion zsh > ~/.zsh/completions/_neardup',
    'neardup completion fish > ~/.config/fish/completions/neardup.fish',
  ],
  async run([shell], _options, io) {
    const { completionScript } = await import('../completion/script.ts');
    // Imported here and not above: the list of commands imports this file.
    const { commands } = await import('./index.ts');
    io.stdout.write(completionScript(shell as 'bash' | 'zsh' | 'fish', commands));
  },
});
