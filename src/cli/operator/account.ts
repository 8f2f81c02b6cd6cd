import { type AccountClients, openAccountClients } from '../../app/account/account-clients.ts'
import { openAccount } from '../../app/account/open-account.ts'
import { viewAccount } from '../../app/account/view-account.ts'
import { redactConfig } from '../../app/doctor/redact-config.ts'
import { findPolyAccount } from '../../app/poly-account.ts'
import { type Config, loadConfig } from '../../config/config.ts'
import { systemClock } from '../../core/time/clock.ts'
import { confirm } from '../terminal/confirm.ts'
import { parseOptions } from '../terminal/parse-options.ts'
import { type Fault, runCommand } from '../terminal/run-command.ts'
import { toAccountLines, toStepLine } from './account-lines.ts'

const HELP = `usage: tollbook account
       tollbook account open [--yes]

The operator's account at Polymarket, of TOLLBOOK_POLY_OWNER_KEY. The service may be running or not.

  account       shows it: owner, deposit wallet, cash, what the exchange may use, open positions. Nothing is changed.
  account open  makes the deposit wallet where there is none, lets the exchange and the adapter of Polymarket move
                what it holds, and makes the API key where there is none. It says what it will do and asks; without
                a terminal it needs --yes. It sends no money and no order, and may be run again.

Live mode only: paper mode has no account there, and in sandbox mode the service makes its own.
`

export async function run(args: string[]): Promise<void> {
  await runCommand(HELP, parse(args), account)
}

type Options = { isOpening: boolean; yes: boolean }

function parse(args: string[]): Options | 'help' | Fault {
  const options = { yes: { type: 'boolean', default: false } } as const
  return parseOptions(args, { options, allowPositionals: true }, ({ values: { yes }, positionals }) => {
    const [task, ...more] = positionals
    const isOpening = task === 'open'
    if (more.length > 0 || (task !== undefined && !isOpening))
      return { fault: `account has no task ${JSON.stringify(positionals.join(' '))}: leave it out, or open` }
    if (yes && !isOpening) return { fault: '--yes means nothing without open: leave it out' }
    return { isOpening, yes }
  })
}

async function account({ isOpening, yes }: Options): Promise<void> {
  const config = loadConfig()
  if (config.mode === 'sandbox')
    return void process.stdout.write(
      'in sandbox mode the service makes its own account at the simulated venue when it starts, with simulated money and\n' +
        'all approvals: there is nothing to open. While it runs, GET /admin/portfolio shows it\n',
    )
  const found = findPolyAccount(config, { prediction: undefined })
  if ('whyNot' in found) throw new Error(found.whyNot)
  const { upstreams } = config
  const clients = openAccountClients({ account: found.account, upstreams, clock: systemClock })
  try {
    if (isOpening && !(await open(clients, config, yes))) process.exitCode = 1
    else process.stdout.write(redactConfig(config)(toAccountLines(await viewAccount(clients))))
  } finally {
    clients.close()
  }
}

/** True where every step was done. */
async function open(clients: AccountClients, config: Config, yes: boolean): Promise<boolean> {
  const { owner, wallet } = clients.account
  process.stdout.write(`Opens the account of ${owner.address} at Polymarket:
  - its deposit wallet ${wallet} is made, if it is not there
  - the exchange and the adapter of Polymarket may move all pUSD and all shares that this wallet holds, now and later
  - an API key of the owner is made, if there is none
The relayer of Polymarket carries it out and pays for it. It takes a minute or two.

`)
  if (!yes && !(await confirm('yes')))
    throw new Error('the account was not opened, nothing was changed: pass --yes to open it')
  const redact = redactConfig(config)
  let isDone = true
  for await (const step of openAccount(clients)) {
    process.stdout.write(redact(toStepLine(step)))
    isDone = step.isDone
  }
  if (isDone) process.stdout.write('\n')
  return isDone
}
