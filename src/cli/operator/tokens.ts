import { isAddress } from 'viem'
import { holderCallsOf } from '../../access/wallet/holders.ts'
import { replaceTokenKeys, rotateTokenKeys } from '../../access/wallet/token-keys.ts'
import { TOKEN_LIFE_MS } from '../../access/wallet/token-life.ts'
import { isTokenId } from '../../access/wallet/tokens.ts'
import { readHolderLimits } from '../../app/holder-limits.ts'
import { readDayCalls } from '../../app/ledger/day-calls.ts'
import { useLedger } from '../../app/ledger/use-ledger.ts'
import { type Config, loadConfig } from '../../config/config.ts'
import { systemClock } from '../../core/time/clock.ts'
import { DAY_MS } from '../../core/time/time.ts'
import { parseOptions } from '../terminal/parse-options.ts'
import { type Fault, runCommand } from '../terminal/run-command.ts'
import { timeOf } from '../terminal/table.ts'
import { listHolders } from './holder-lines.ts'

/** What each of them holds is asked of the chain. */
const LISTED_MAX = 20

const HELP = `usage: tollbook tokens holders
       tollbook tokens revoke <jti>
       tollbook tokens revoke --wallet <address>
       tollbook tokens rotate [--leaked]

The tokens that wallets get when they sign in. The service may be running: it takes a change within two seconds.

  holders   the ${LISTED_MAX} wallets with the most holder calls today, with the limit of each by what it holds now
  revoke    ends one token now, by the jti in it; a jti that begins with - stands after --
  --wallet  ends all tokens that the wallet got until now; it can sign in again while it holds the project token
  rotate    the next key signs from now on, and a new one waits after it; tokens of the present key and of those
            before it stay good for their hour. It happens by itself every thirty days.
  --leaked  somebody else may have seen the keys: both are replaced, and every wallet has to sign in again
`

type Task =
  | { kind: 'holders' }
  | { kind: 'revoke'; id: string }
  | { kind: 'revoke-wallet'; wallet: string }
  | { kind: 'rotate'; isLeaked: boolean }

type Options = { leaked: boolean; wallet?: string | undefined }

export async function run(args: string[]): Promise<void> {
  const options = { leaked: { type: 'boolean', default: false }, wallet: { type: 'string' } } as const
  const parsed = parseOptions(args, { options, allowPositionals: true }, ({ values, positionals }) =>
    toTask(positionals, values),
  )
  await runCommand(HELP, parsed, act)
}

function toTask([kind, id, ...more]: readonly string[], { leaked, wallet }: Options): Task | Fault {
  if (kind === 'revoke' && more.length === 0 && !leaked) {
    if (wallet !== undefined && id === undefined) return toWallet(wallet)
    if (wallet === undefined && id !== undefined) return toToken(id)
  }
  const isAlone = id === undefined && wallet === undefined
  if (kind === 'rotate' && isAlone) return { kind, isLeaked: leaked }
  if (kind === 'holders' && isAlone && !leaked) return { kind }
  return {
    fault: 'say what to do: holders, revoke <jti>, revoke --wallet <address>, rotate or rotate --leaked',
  }
}

const toToken = (id: string): Task | Fault =>
  isTokenId(id)
    ? { kind: 'revoke', id }
    : {
        fault: `${JSON.stringify(id)} is no jti, which has 22 letters, digits, - or _: nothing was revoked. A token says its jti itself, and none is kept here; without it end all tokens of its wallet with --wallet`,
      }

const toWallet = (wallet: string): Task | Fault =>
  isAddress(wallet)
    ? { kind: 'revoke-wallet', wallet: wallet.toLowerCase() }
    : { fault: `${JSON.stringify(wallet)} is no address of a wallet: 0x and 40 hex digits` }

async function act(task: Task): Promise<void> {
  const config = loadConfig()
  process.stdout.write(await carryOut(task, config, systemClock.now()))
}

async function carryOut(task: Task, config: Config, nowMs: number): Promise<string> {
  // None lives longer than one that is given out now.
  const endMs = nowMs + TOKEN_LIFE_MS
  const ledger = { config, clock: systemClock }
  switch (task.kind) {
    case 'holders':
      return showHolders(config, nowMs)
    case 'revoke':
      await useLedger(ledger, ({ signIn }) => signIn.revokeToken(task.id, endMs, nowMs))
      return `a token with the jti ${task.id} will open nothing until ${timeOf(endMs)}, when it has expired at the latest; tokens are not kept, so whether there is one is not known\n`
    case 'revoke-wallet':
      await useLedger(ledger, ({ signIn }) => signIn.revokeWallet(task.wallet, endMs, nowMs))
      return `tokens that ${task.wallet} got until ${timeOf(nowMs)} open nothing any more; it can sign in again while it holds the project token\n`
    case 'rotate':
      return rotate(task.isLeaked, config.dataDir, nowMs)
  }
}

async function showHolders(config: Config, nowMs: number): Promise<string> {
  const used = await readDayCalls({ config, clock: systemClock }, Math.floor(nowMs / DAY_MS))
  const { wallets, total } = holderCallsOf(used)
  const listed = wallets.slice(0, LISTED_MAX)
  const limits = await readHolderLimits(
    { config, clock: systemClock },
    listed.map(({ wallet }) => wallet),
  )
  const lines = listed.map((each, at) => ({ ...each, limit: limits[at] }))
  return listHolders({ lines, more: wallets.length - listed.length, total, day: timeOf(nowMs).slice(0, 10) })
}

function rotate(isLeaked: boolean, dataDir: string, nowMs: number): string {
  const change = isLeaked ? replaceTokenKeys : rotateTokenKeys
  const { present } = change(dataDir, nowMs)
  const rest = isLeaked
    ? 'every wallet has to sign in again'
    : 'tokens of the keys before it stay good for their hour'
  return `tokens are signed with ${present.kid} from now on; ${rest}\n`
}
