import { enableCompileCache } from 'node:module'
import { SERVICE } from '../core/service.ts'
import { USAGE_EXIT } from './terminal/exit-code.ts'

enableCompileCache()
for (const stream of [process.stdout, process.stderr]) stream.on('error', outliveReader)

/** Loaded only when asked for: `--help` must not wait for the engine. */
const COMMANDS: Record<
  string,
  { summary: string; load: () => Promise<{ run: (args: string[]) => Promise<void> }> }
> = {
  serve: { summary: 'start the service (what npm start does)', load: () => import('./service/serve.ts') },
  sandbox: {
    summary: 'run what is simulated for several services that share it',
    load: () => import('./service/sandbox.ts'),
  },
  buy: {
    summary: 'buy one reply with play money and show every step',
    load: () => import('./buying/buy.ts'),
  },
  backtest: { summary: 'run recorded minutes through the signal', load: () => import('./model/backtest.ts') },
  train: { summary: 'fit the signal to history and measure it', load: () => import('./model/train.ts') },
  backup: { summary: 'copy the ledger and the keys into one file', load: () => import('./ledger/backup.ts') },
  'verify-record': {
    summary: 'check a public track record without trusting its server',
    load: () => import('./verify-record/verify-record.ts'),
  },
  restore: { summary: 'put a backup back', load: () => import('./ledger/restore.ts') },
  adopt: { summary: 'take over a copied or moved data directory', load: () => import('./ledger/adopt.ts') },
  ledger: {
    summary: 'move the embedded ledger to PostgreSQL, and check one that was recovered',
    load: () => import('./ledger/ledger.ts'),
  },
  'check-ledger': {
    summary: 'compare the sums that reports read with the payments',
    load: () => import('./ledger/check-ledger.ts'),
  },
  doctor: {
    summary: 'check everything that the configured mode needs, and say what to do',
    load: () => import('./service/doctor.ts'),
  },
  config: {
    summary: 'print the configuration in effect, without secrets',
    load: () => import('./service/config.ts'),
  },
  account: {
    summary: "show or open the operator's account at Polymarket",
    load: () => import('./operator/account.ts'),
  },
  keys: {
    summary: "the operator's keys, and the audit of their calls",
    load: () => import('./operator/keys.ts'),
  },
  tokens: {
    summary: 'list holders, revoke tokens of wallets, and rotate the keys that sign them',
    load: () => import('./operator/tokens.ts'),
  },
  watercooler: {
    summary: 'list and remove what visitors said at the watercooler',
    load: () => import('./operator/watercooler.ts'),
  },
  'rotate-key': {
    summary: 'replace the key that signs receipts and the record',
    load: () => import('./operator/rotate-key.ts'),
  },
}

function help(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length))
  const lines = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`)
  return [
    'usage: tollbook <command> [options]',
    '',
    ...lines,
    '',
    'tollbook <command> --help shows its options, tollbook --version the version.',
    '',
  ].join('\n')
}

/** `tollbook … | head -1`: what is still to say goes nowhere, what is still to do is done. */
function outliveReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

const [name, ...args] = process.argv.slice(2)
const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
if (name === undefined || ['--help', '-h', 'help'].includes(name)) process.stdout.write(help())
else if (['--version', '-v', 'version'].includes(name)) process.stdout.write(`tollbook ${SERVICE.version}\n`)
else if (command) await (await command.load()).run(args)
else {
  process.stderr.write(`tollbook: no command ${JSON.stringify(name)}\n\n${help()}`)
  process.exitCode = USAGE_EXIT
}
