import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { describeOutcome } from '../test/torture/describe.ts'
import { torture } from '../test/torture/torture.ts'

const HELP = `Kills the real service under paying load, then checks chain against ledger.
  --kills N    how often (300)        --buyers N   (10)       --thieves N  (2)
  --seed N     of every choice made here; when processes meet is the machine's own choice
  --service F  another main file than this project's own, to see a broken one noticed
  --keep       leaves log, ledger and chains of a clean run behind, as those of any other are`
/** Longer than any payment of a buyer who left stays alive. */
const DEATH_WATCH_MS = 180_000
const MAX_SEED = 1_000_000

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '300' },
    buyers: { type: 'string', default: '10' },
    thieves: { type: 'string', default: '2' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * MAX_SEED)) },
    service: { type: 'string' },
    keep: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) console.log(HELP)
else await run()

async function run(): Promise<void> {
  const seed = Number(values.seed)
  const startedMs = performance.now()
  const say = (line: string) =>
    console.log(`${String(Math.round((performance.now() - startedMs) / 1000)).padStart(5)} s  ${line}`)
  say(`seed ${seed}`)
  const outcome = await torture({
    kills: Number(values.kills),
    buyers: Number(values.buyers),
    thieves: Number(values.thieves),
    seed,
    deathWatchMs: DEATH_WATCH_MS,
    main: values.service,
    progress: say,
  })
  console.log(describeOutcome(outcome))
  if (outcome.violations.length > 0) process.exitCode = 1
  if (outcome.violations.length > 0 || values.keep) console.log(`log, ledger and chains: ${outcome.dir}`)
  else rmSync(outcome.dir, { recursive: true, force: true })
}
