import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { readCandles } from '../backtest/candle-file.ts'
import { createJudge, type Judged } from '../backtest/judge.ts'
import { metricsOf } from '../backtest/metrics/metrics.ts'
import { lineOf } from '../backtest/prediction-line.ts'
import { runCandles } from '../backtest/run-candles.ts'
import type { ClosedCandle } from '../signals/history/closed-candle.ts'
import { loadModel } from '../signals/model/load-model.ts'
import { createProgress } from './progress.ts'
import { explain, type Fault, runCommand } from './run-command.ts'
import { SYMBOLS } from './symbols.ts'
import { openTextFile } from './text-file.ts'

const HELP = `usage: tollbook backtest --input <bars.csv[.gz]> --symbol <${SYMBOLS.join('|')}> --output <predictions.jsonl>
                         [--context <SYMBOL>=<bars.csv[.gz]>]… [--metrics <metrics.json>] [--model <model.json>]
       tollbook backtest --ticks <trades.csv[.gz]> …   (see tollbook backtest --ticks --help)

Runs one-minute candles through the live forecaster on their own time and writes a prediction for every minute of
every five-minute window, each from candles that had closed by then.
  --input    header ts,open,high,low,close,volume (ts: open time in ms, ascending; more columns may follow)
  --context  candles of other coins, which may lead this one; optional
  --metrics  hit rate, Brier, log loss, calibration error and more, by seconds into the window
  --model    use another model than the shipped one
`
const LINES_PER_WRITE = 2_000

export async function run(args: string[]): Promise<void> {
  if (args.includes('--ticks')) return (await import('./backtest-ticks.ts')).run(args)
  await runCommand(HELP, parse(args), backtest)
}

type Options = {
  input: string
  symbol: string
  output: string
  context: readonly string[]
  metrics: string | undefined
  model: string | undefined
}

function parse(args: string[]): Options | 'help' | Fault {
  try {
    const { values } = parseArgs({
      args,
      options: {
        help: { type: 'boolean', short: 'h' },
        input: { type: 'string' },
        symbol: { type: 'string' },
        output: { type: 'string' },
        context: { type: 'string', multiple: true, default: [] },
        metrics: { type: 'string' },
        model: { type: 'string' },
      },
    })
    if (values.help) return 'help'
    const { input, symbol, output, context, metrics, model } = values
    if (!input || !symbol || !output) return { fault: '--input, --symbol and --output are needed' }
    if (!SYMBOLS.includes(symbol)) return { fault: `--symbol must be one of ${SYMBOLS.join(', ')}` }
    const fault = contextFault(context, symbol)
    return fault ? { fault } : { input, symbol, output, context, metrics, model }
  } catch (error) {
    return { fault: explain(error) }
  }
}

function contextFault(context: readonly string[], symbol: string): string | undefined {
  const names = context.map((each) => each.slice(0, Math.max(0, each.indexOf('='))))
  const bad = names.find((name) => !SYMBOLS.includes(name) || name === symbol)
  if (bad !== undefined) return `--context takes <SYMBOL>=<file> with a coin other than ${symbol}`
  return new Set(names).size < names.length ? '--context names a coin twice' : undefined
}

async function backtest({ input, symbol, output, context, metrics, model }: Options): Promise<void> {
  const candles = await readCandles(input)
  const others: ClosedCandle[][] = []
  // Sorted by name: the order of the options must not change the output.
  for (const each of [...context].sort()) others.push(await readCandles(each.slice(each.indexOf('=') + 1)))
  const judge = createJudge(candles)
  const judged: Judged[] = []
  const progress = createProgress('backtest')
  const out = await openTextFile(output)
  let text = ''
  let lines = 0
  try {
    for (const prediction of runCandles({ model: loadModel(model), candles, context: others })) {
      text += lineOf(symbol, prediction)
      const verdict = metrics ? judge(prediction) : undefined
      if (verdict) judged.push(verdict)
      if (++lines % LINES_PER_WRITE !== 0) continue
      progress.show(lines, candles.length)
      await out.write(text)
      text = ''
    }
    await out.write(text)
  } finally {
    await out.end()
    progress.end()
  }
  if (metrics) writeFileSync(metrics, `${JSON.stringify({ symbol, ...metricsOf(judged) }, null, 2)}\n`)
  process.stderr.write(`${lines} predictions from ${candles.length} candles in ${output}\n`)
}
