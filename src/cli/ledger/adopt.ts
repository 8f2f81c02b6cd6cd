import { adoptLedger } from '../../app/ledger/adopt-ledger.ts'
import { loadConfig } from '../../config/config.ts'
import { systemClock } from '../../core/time/clock.ts'
import type { Objection } from '../../ledger/identity/objections.ts'
import { confirm } from '../terminal/confirm.ts'
import { parseOptions } from '../terminal/parse-options.ts'
import { type Fault, runCommand } from '../terminal/run-command.ts'
import { LEFT_LIVE, ONE_LEDGER } from './ledger-lines.ts'

const HELP = `usage: tollbook adopt [--yes]

Takes over the ledger of TOLLBOOK_DATA_DIR after it was copied, moved to another disk, written by an earlier
release, or when other addresses are to be paid. Stop the service first. It says what that means and asks;
without a terminal it needs --yes. It never changes the mode of a ledger. A bot that traded live goes back to
simulated money.

${ONE_LEDGER}`

/** What follows from adopting, by what was objected to. */
const MEANING: Readonly<Record<Objection['kind'], string>> = {
  copy: ONE_LEDGER,
  address: `From now on the new addresses are paid. What was paid to the old ones stays in the ledger and in its revenue;
payments that are not decided yet are still looked for at the old ones.
`,
  unbound: `From now on this ledger is of this mode and can never be of another: all its sales and its record count as such.
`,
  mode: '',
}

export async function run(args: string[]): Promise<void> {
  await runCommand(HELP, parse(args), adopt)
}

function parse(args: string[]): { yes: boolean } | 'help' | Fault {
  const options = { yes: { type: 'boolean', default: false } } as const
  return parseOptions(args, { options }, ({ values: { yes } }) => ({ yes }))
}

async function adopt({ yes }: { yes: boolean }): Promise<void> {
  const config = loadConfig()
  const outcome = await adoptLedger(
    config,
    async (objections) => {
      for (const { kind, what } of objections) process.stdout.write(`${what}.\n\n${MEANING[kind]}\n`)
      return yes || confirm('adopt')
    },
    systemClock.now(),
  )
  const { dataDir, mode } = config
  if (outcome === 'refused')
    throw new Error(`${dataDir} was not adopted, nothing was changed: pass --yes to adopt it`)
  process.stdout.write(
    outcome === 'nothing to adopt'
      ? `${dataDir} needs no adoption: it is of this mode, of these addresses and no copy\n`
      : `adopted: ${dataDir} is served in ${mode} mode from now on\n`,
  )
  if (outcome === 'adopted, no longer live') process.stdout.write(`${LEFT_LIVE}\n`)
}
