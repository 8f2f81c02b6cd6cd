import { replaceTokenKeys, rotateTokenKeys } from '../../access/wallet/token-keys.ts'
import { TOKEN_LIFE_MS } from '../../access/wallet/token-life.ts'
import { useLedger } from '../../app/ledger/use-ledger.ts'
import { loadConfig } from '../../config/config.ts'
import { systemClock } from '../../core/time/clock.ts'
import { parseOptions } from '../terminal/parse-options.ts'
import { type Fault, runCommand } from '../terminal/run-command.ts'

const HELP = `usage: tollbook tokens revoke <jti>
       tollbook tokens rotate [--leaked]

The tokens that wallets get when they sign in. The service may be running: it takes a change within two seconds.

  revoke  ends one token now, by the jti in it
  rotate  the next key signs from now on, and a new one waits after it; tokens of the present key and of those
          before it stay good for their hour. It happens by itself every thirty days.
  --leaked  somebody else may have seen the keys: both are replaced, and every wallet has to sign in again
`

type Task = { kind: 'revoke'; id: string } | { kind: 'rotate'; isLeaked: boolean }

export async function run(args: string[]): Promise<void> {
  const options = { leaked: { type: 'boolean', default: false } } as const
  const parsed = parseOptions(args, { options, allowPositionals: true }, ({ values, positionals }) =>
    toTask(positionals, values.leaked),
  )
  await runCommand(HELP, parsed, act)
}

function toTask([kind, id, ...more]: readonly string[], isLeaked: boolean): Task | Fault {
  if (kind === 'rotate' && id === undefined) return { kind, isLeaked }
  if (kind === 'revoke' && id !== undefined && more.length === 0 && !isLeaked)
    return /^[\w-]{1,64}$/.test(id) ? { kind, id } : { fault: `${JSON.stringify(id)} is no jti of a token` }
  return { fault: 'say what to do: revoke <jti>, rotate or rotate --leaked' }
}

async function act(task: Task): Promise<void> {
  const config = loadConfig()
  const nowMs = systemClock.now()
  if (task.kind === 'revoke') {
    // None lives longer than one that is given out now.
    await useLedger({ config, clock: systemClock }, ({ signIn }) =>
      signIn.revokeToken(task.id, nowMs + TOKEN_LIFE_MS, nowMs),
    )
    return void process.stdout.write(`the token ${task.id} opens nothing any more\n`)
  }
  const change = task.isLeaked ? replaceTokenKeys : rotateTokenKeys
  const { present } = change(config.dataDir, nowMs)
  const rest = task.isLeaked
    ? 'every wallet has to sign in again'
    : 'tokens of the keys before it stay good for their hour'
  process.stdout.write(`tokens are signed with ${present.kid} from now on; ${rest}\n`)
}
