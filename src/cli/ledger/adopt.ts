import { adoptDatabase } from '../../app/ledger/adopt-database.ts'
import { adoptLedger } from '../../app/ledger/adopt-ledger.ts'
import { loadConfig } from '../../config/config.ts'
import { databaseName } from '../../core/addresses/database-address.ts'
import { systemClock } from '../../core/time/clock.ts'
import type { Objection } from '../../ledger/identity/objections.ts'
import { confirm } from '../terminal/confirm.ts'
import { parseOptions } from '../terminal/parse-options.ts'
import { type Fault, runCommand } from '../terminal/run-command.ts'
import { LEFT_LIVE, ONE_LEDGER, USABLE_TEXT } from './ledger-lines.ts'

const HELP = `usage: tollbook adopt [--yes] [--take-back]

Takes over the ledger of TOLLBOOK_DATA_DIR, or of DATABASE_URL, after it was copied, moved to another disk or server,
written by an earlier release, or when other addresses are to be paid. Stop the service first. It says what that means and asks;
without a terminal it needs --yes. It never changes the mode of a ledger. A bot that traded live goes back to
simulated money.

  --take-back  serve from the file again after ./tollbook ledger copy moved it to a database. What was sold there
               since is not in it, and that database must never serve again.

${ONE_LEDGER}`

/** What follows from adopting, by what was objected to. */
const MEANING: Readonly<Record<Objection['kind'], string>> = {
  copy: ONE_LEDGER,
  address: `From now on the new addresses are paid. What was paid to the old ones stays in the ledger and in its revenue;
payments that are not decided yet are still looked for at the old ones.
`,
  unbound: `From now on this ledger is of this mode and can never be of another: all its sales and its record count as such.
`,
  moved: `What was sold from that database is not in this file: its receipts and replies are gone, and payments that were
used there could be presented here again. Make sure that no process uses it, and wait ${USABLE_TEXT} before you serve.
`,
  mode: '',
  'half-copied': '',
}

export async function run(args: string[]): Promise<void> {
  await runCommand(HELP, parse(args), adopt)
}

type Options = { yes: boolean; takeBack: boolean }

function parse(args: string[]): Options | 'help' | Fault {
  const flag = { type: 'boolean', default: false } as const
  return parseOptions(args, { options: { yes: flag, 'take-back': flag } }, ({ values }) => ({
    yes: values.yes,
    takeBack: values['take-back'],
  }))
}

async function adopt({ yes, takeBack }: Options): Promise<void> {
  const config = loadConfig()
  const agree = async (objections: readonly Objection[]) => {
    for (const { kind, what } of objections) process.stdout.write(`${what}.\n\n${MEANING[kind]}\n`)
    return yes || confirm('adopt')
  }
  const { dataDir, mode, databaseUrl } = config
  if (databaseUrl && takeBack)
    throw new Error(
      '--take-back is for the file: leave DATABASE_URL out, and make sure that nobody serves from the database',
    )
  const outcome = databaseUrl
    ? await adoptDatabase({ config, url: databaseUrl.reveal(), clock: systemClock }, { confirm: agree })
    : await adoptLedger(config, { confirm: agree, takeBack }, systemClock.now())
  const what = databaseUrl ? databaseName(databaseUrl.reveal()) : dataDir
  if (outcome === 'refused')
    throw new Error(`${what} was not adopted, nothing was changed: pass --yes to adopt it`)
  process.stdout.write(
    outcome === 'nothing to adopt'
      ? `${what} needs no adoption: it is of this mode, of these addresses and no copy\n`
      : `adopted: ${what} is served in ${mode} mode from now on\n`,
  )
  if (outcome === 'adopted, no longer live') process.stdout.write(`${LEFT_LIVE}\n`)
}
