import { enableCompileCache } from 'node:module'
import { USAGE_EXIT } from './exit-code.ts'

enableCompileCache()

/** Loaded only when asked for: `--help` must not wait for the engine. */
const COMMANDS: Record<
  string,
  { summary: string; load: () => Promise<{ run: (args: string[]) => Promise<void> }> }
> = {
  serve: { summary: 'start the service (what npm start does)', load: () => import('./serve.ts') },
  buy: { summary: 'buy one reply from a sandbox and show every step', load: () => import('./buy.ts') },
  backtest: { summary: 'run recorded minutes through the signal', load: () => import('./backtest.ts') },
  train: { summary: 'fit the signal to history and measure it', load: () => import('./train.ts') },
  backup: { summary: 'copy the ledger into one file', load: () => import('./backup.ts') },
  'verify-record': {
    summary: 'check a public track record without trusting its server',
    load: () => import('./verify-record.ts'),
  },
  restore: { summary: 'put a copy of the ledger back', load: () => import('./restore.ts') },
}

function help(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length))
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
  return [
    'usage: tollbook <command> [options]',
    '',
    ...lines,
    '',
    'tollbook <command> --help shows its options.',
    '',
  ].join('\n')
}

const [name, ...args] = process.argv.slice(2)
const command = name === undefined ? undefined : COMMANDS[name]
if (name === undefined || name === '--help' || name === '-h' || name === 'help') process.stdout.write(help())
else if (!command) {
  process.stderr.write(`tollbook: no command ${JSON.stringify(name)}\n\n${help()}`)
  process.exitCode = USAGE_EXIT
} else await (await command.load()).run(args)
