import { readCandles } from '../../backtest/candle-file.ts'
import { createJudge, type Judged } from '../../backtest/judge.ts'
import { metricsOf } from '../../backtest/metrics/metrics.ts'
import { lineOf } from '../../backtest/prediction-line.ts'
import { runCandles } from '../../backtest/run-candles.ts'
import type { ClosedCandle } from '../../signals/history/closed-candle.ts'
import { WARM_MINUTES } from '../../signals/model/features.ts'
import { loadModel } from '../../signals/model/load-model.ts'
import type { Model } from '../../signals/model/model.ts'
import { checkOutputs, type WriteText, writeWhole } from '../terminal/output-file.ts'
import { parseOptions } from '../terminal/parse-options.ts'
import { createProgress } from '../terminal/progress.ts'
import { type Fault, runCommand } from '../terminal/run-command.ts'
import { SYMBOLS } from './symbols.ts'

const HELP = `usage: tollbook backtest --input <bars.csv[.gz]> --symbol <${SYMBOLS.join('|')}> --output <predictions.jsonl>
                         [--context <SYMBOL>=<bars.csv[.gz]>]… [--metrics <metrics.json>] [--model <model.json>] [--force]
       tollbook backtest --ticks <trades.csv[.gz]> …   (see tollbook backtest --ticks --help)

Runs one-minute candles through the live forecaster on their own time and writes a prediction for every minute of
every five-minute window, each from candles that had closed by then.
  --input    header ts,open,high,low,close,volume (ts: open time in ms, ascending; more columns may follow)
  --context  candles of other coins, which may lead this one; optional
  --metrics  hit rate, Brier, log loss, calibration error and more, by seconds into the window
  --model    use another model than the shipped one
  --force    overwrite files that exist
`
const LINES_PER_WRITE = 2_000

export async function run(args: string[]): Promise<void> {
  if (args.some((arg) => /^--ticks(=|$)/.test(arg))) return (await import('./backtest-ticks.ts')).run(args)
  await runCommand(HELP, parse(args), backtest)
}

type Options = {
  input: string
  symbol: string
  output: string
  context: readonly string[]
  metrics: string | undefined
  model: string | undefined
  force: boolean
}

function parse(args: string[]): Options | 'help' | Fault {
  const text = { type: 'string' } as const
  const options = {
    input: text,
    symbol: text,
    output: text,
    context: { ...text, multiple: true },
    metrics: text,
    model: text,
    force: { type: 'boolean', default: false },
  } as const
  return parseOptions(args, { options }, ({ values }) => {
    const { input, symbol, output, context = [], metrics, model, force } = values
    if (!input || !symbol || !output) return { fault: '--input, --symbol and --output are needed' }
    if (!SYMBOLS.includes(symbol)) return { fault: `--symbol must be one of ${SYMBOLS.join(', ')}` }
    const fault = contextFault(context, symbol)
    return fault ? { fault } : { input, symbol, output, context, metrics, model, force }
  })
}

function contextFault(context: readonly string[], symbol: string): string | undefined {
  const names = context.map((each) => each.slice(0, Math.max(0, each.indexOf('='))))
  const bad = names.find((name) => !SYMBOLS.includes(name) || name === symbol)
  if (bad !== undefined) return `--context takes <SYMBOL>=<file> with a coin other than ${symbol}`
  return new Set(names).size < names.length ? '--context names a coin twice' : undefined
}

async function backtest(options: Options): Promise<void> {
  const { input, symbol, output, metrics, model, force } = options
  // Sorted by name: the order of the options must not change the output.
  const context = [...options.context].sort().map((each) => each.slice(each.indexOf('=') + 1))
  const contexts = Object.fromEntries(context.map((path, at) => [`--context ${at + 1}`, path]))
  checkOutputs(
    { '--output': output, '--metrics': metrics },
    { '--input': input, '--model': model, ...contexts },
    { force },
  )
  const candles = await readCandles(input)
  const others: ClosedCandle[][] = []
  for (const path of context) others.push(await readCandles(path))
  const fitted = loadModel(model)
  const { lines, judged } = await writeWhole(output, async (write) => {
    const told = await predict(
      { symbol, model: fitted, candles, others, isJudged: metrics !== undefined },
      write,
    )
    if (told.lines === 0) throw tooShort(input, candles)
    return told
  })
  if (metrics) {
    const text = `${JSON.stringify({ symbol, ...metricsOf(judged) }, null, 2)}\n`
    await writeWhole(metrics, (write) => write(text))
  }
  process.stderr.write(`${lines} predictions from ${candles.length} candles in ${output}\n`)
}

type Run = {
  symbol: string
  model: Model
  candles: readonly ClosedCandle[]
  others: readonly (readonly ClosedCandle[])[]
  isJudged: boolean
}

async function predict({ symbol, model, candles, others, isJudged }: Run, write: WriteText) {
  const judge = createJudge(candles)
  const judged: Judged[] = []
  const progress = createProgress('backtest')
  let text = ''
  let lines = 0
  try {
    for (const prediction of runCandles({ model, candles, context: others })) {
      text += lineOf(symbol, prediction)
      const verdict = isJudged ? judge(prediction) : undefined
      if (verdict) judged.push(verdict)
      if (++lines % LINES_PER_WRITE !== 0) continue
      progress.show(lines, candles.length)
      await write(text)
      text = ''
    }
    await write(text)
    progress.show(1, 1)
  } finally {
    progress.end()
  }
  return { lines, judged }
}

function tooShort(input: string, { length }: readonly ClosedCandle[]): Error {
  return new Error(
    `${input}: ${length} candles, and a prediction needs the ${WARM_MINUTES} minutes before it: give a longer file`,
  )
}
