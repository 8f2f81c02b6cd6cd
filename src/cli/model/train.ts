import { join } from 'node:path'
import { abstainBelow } from '../../training/abstain.ts'
import { requireEnoughHistory } from '../../training/enough-history.ts'
import { createFitter } from '../../training/fit/fit-model.ts'
import { buildDataset } from '../../training/history/dataset.ts'
import { historyNames, readHistory } from '../../training/history/history-files.ts'
import { toModel } from '../../training/model-file.ts'
import { reportOf } from '../../training/report/report.ts'
import { reportText } from '../../training/report/report-text.ts'
import { walkForward } from '../../training/walk-forward.ts'
import { checkOutputs, writeWhole } from '../terminal/output-file.ts'
import { parseOptions } from '../terminal/parse-options.ts'
import { createProgress } from '../terminal/progress.ts'
import { type Fault, runCommand } from '../terminal/run-command.ts'
import { trainOwn } from './train-own.ts'

const HELP = `usage: tollbook train --history <folder> [--output <model.json>] [--report <report.md>] [--from <YYYY-MM-DD>] [--force]
       tollbook train --own [--dry-run]

Fits the five-minute model to one-minute candles and measures it walk-forward: it is refitted every two calendar months
on everything up to a day before them, and judged on windows that it has not seen.
  --history  a folder of files such as BTCUSDT_1m_2024.csv.gz (header ts,open,high,low,close,volume)
  --output   write the model fitted to the whole history; without it only the figures are computed
  --report   write the figures by coin, regime, volatility and year, as Markdown
  --from     first day that is judged; default 2022-05-01
  --force    overwrite files that exist
The same files give the same model, to the byte.

With --own it learns from what the service has recorded in TOLLBOOK_DATA_DIR (order books, flow, basis, prediction market),
on top of the shipped model. What it learnt is adopted, for the next start of the service, only if it beats the present model
on days that neither has seen, by more than noise; otherwise it says why not, and nothing changes.
  --dry-run  only measure
`
const FROM = '2022-05-01'
const FLAG = { type: 'boolean', default: false } as const
const DAY = /^\d{4}-\d{2}-\d{2}$/

export async function run(args: string[]): Promise<void> {
  await runCommand(HELP, parse(args), (options) => ('own' in options ? trainOwn(options) : train(options)))
}

type Options = {
  history: string
  fromMs: number
  output: string | undefined
  report: string | undefined
  force: boolean
}

type OwnOptions = { own: true; dryRun: boolean }

function parse(args: string[]): Options | OwnOptions | 'help' | Fault {
  const text = { type: 'string' } as const
  const paths = { history: text, output: text, report: text }
  const options = { ...paths, from: text, force: FLAG, own: FLAG, 'dry-run': FLAG }
  return parseOptions<{ options: typeof options }, Options | OwnOptions>(args, { options }, ({ values }) => {
    const { history, output, report, from = FROM, force, own, 'dry-run': dryRun } = values
    const isOther = [history, output, report, values.from].some((given) => given !== undefined) || force
    if (own) return isOther ? { fault: '--own takes no other option than --dry-run' } : { own, dryRun }
    if (dryRun) return { fault: '--dry-run goes with --own: without --output nothing is written anyway' }
    const fromMs = DAY.test(from) ? Date.parse(from) : Number.NaN
    if (!history) return { fault: '--history is needed' }
    if (Number.isNaN(fromMs)) return { fault: '--from must be a day such as 2022-05-01' }
    return { history, fromMs, output, report, force }
  })
}

async function train({ history, fromMs, output, report, force }: Options): Promise<void> {
  const inputs = Object.fromEntries(historyNames(history).map((name) => [name, join(history, name)]))
  checkOutputs({ '--output': output, '--report': report }, inputs, { force })
  const { stretches, sha256 } = await step('reading', (show) => readHistory(history, show))
  const dataset = await step('features', (show) => buildDataset(stretches, show))
  requireEnoughHistory(dataset, fromMs)
  const results = await step('walk-forward', (onBlock) =>
    walkForward({ stretches, dataset, fromMs, onBlock }),
  )
  if (results.length === 0)
    throw new Error('no window to judge: from --from on there is no day of minutes without a gap')
  const reports = reportOf(results)
  const text = reportText(reports, sha256)
  process.stdout.write(text)
  if (report) await writeWhole(report, (write) => write(text))
  if (!output) return
  const fit = createFitter(dataset).fitUntil(Number.POSITIVE_INFINITY)
  const model = toModel({ fit, dataset, dataSha256: sha256, abstainBelow: abstainBelow(results), reports })
  await writeWhole(output, (write) => write(`${JSON.stringify(model, null, 1)}\n`))
  process.stderr.write(`${output}: ${model.name}\n`)
}

async function step<T>(
  label: string,
  work: (show: (done: number, all: number) => void) => T | Promise<T>,
): Promise<T> {
  const progress = createProgress(label)
  try {
    return await work(progress.show)
  } finally {
    progress.end()
  }
}
