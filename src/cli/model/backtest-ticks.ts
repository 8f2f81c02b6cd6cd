import { pathToFileURL } from 'node:url'
import { readCandles } from '../../backtest/candle-file.ts'
import { runTicks, type TickSummary } from '../../backtest/ticks/run-ticks.ts'
import { COINS, type Coin } from '../../core/coin.ts'
import { WARM_MINUTES } from '../../signals/model/features.ts'
import { loadModel } from '../../signals/model/load-model.ts'
import { checkOutputs, writeWhole } from '../terminal/output-file.ts'
import { parseOptions } from '../terminal/parse-options.ts'
import { createProgress } from '../terminal/progress.ts'
import { type Fault, runCommand } from '../terminal/run-command.ts'
import { SYMBOLS } from './symbols.ts'

const EVERY_MAX_S = 3_600
const HELP = `usage: tollbook backtest --ticks <trades.csv[.gz]> --symbol <${SYMBOLS.join('|')}> --output <lines.jsonl>
                         [--book <bbo or depth_diff.csv[.gz]>] [--input <bars.csv[.gz]>] [--every <seconds>]
                         [--metrics <metrics.json>] [--model <model.json>] [--force]

Replays recorded trades and books through the same market and engine that serve live, on the time of the rows, and
writes what was known at every second, from rows up to and including it. The same files give the same bytes.
  --ticks    header ts_exch,ts_local,price,qty,buyer_is_maker (times in ms; 0: the taker bought)
  --book     header ts_exch,ts_local,bid,bid_qty,ask,ask_qty (the best of both sides), or
             ts_exch,ts_local,side,price,qty (changes of levels, side b or a, quantity 0 removes one; there is no
             snapshot, so the book is unusable until its top is seen, and of two crossed levels the older is dropped)
  --input    minutes up to the ticks, header ts,open,high,low,close,volume: p_up is null without ${WARM_MINUTES} of them
  --every    seconds between lines, default 1
  --metrics  shares of seconds with warm indicators, how well the book's imbalance predicted the mid 1, 5 and 10 s later,
             Brier score of p_up
  --model    use another model than the shipped one
  --force    overwrite files that exist

Rows are ordered by ts_exch if both files have it, else by ts_local. Trades and books count as Binance's; the top of
the book also counts as the dollar venue's, since the engine's price is in dollars.
`

export async function run(args: string[]): Promise<void> {
  await runCommand(HELP, parse(args), backtest)
}

type Options = {
  ticks: string
  coin: Coin
  output: string
  everyS: number
  book: string | undefined
  input: string | undefined
  metrics: string | undefined
  model: string | undefined
  force: boolean
}

function parse(args: string[]): Options | 'help' | Fault {
  const text = { type: 'string' } as const
  const options = {
    ticks: text,
    book: text,
    symbol: text,
    output: text,
    input: text,
    metrics: text,
    every: { ...text, default: '1' },
    model: text,
    force: { type: 'boolean', default: false },
  } as const
  return parseOptions(args, { options }, ({ values }) => {
    const { ticks, symbol, output, every, ...rest } = values
    if (!ticks || !symbol || !output) return { fault: '--ticks, --symbol and --output are needed' }
    const coin = COINS[SYMBOLS.indexOf(symbol)]
    if (!coin) return { fault: `--symbol must be one of ${SYMBOLS.join(', ')}` }
    const everyS = Number(every)
    if (!Number.isSafeInteger(everyS) || everyS < 1 || everyS > EVERY_MAX_S)
      return { fault: `--every must be whole seconds from 1 to ${EVERY_MAX_S}` }
    const { book, input, metrics, model, force } = rest
    return { ticks, coin, output, everyS, book, input, metrics, model, force }
  })
}

async function backtest(options: Options): Promise<void> {
  const { ticks, coin, output, everyS, book, input, metrics, model, force } = options
  checkOutputs(
    { '--output': output, '--metrics': metrics },
    { '--ticks': ticks, '--book': book, '--input': input, '--model': model },
    { force },
  )
  const candles = input === undefined ? [] : await readCandles(input)
  const startedMs = performance.now()
  const progress = createProgress('replay')
  const fitted = model === undefined ? loadModel() : loadModel(pathToFileURL(model))
  const summary = await writeWhole(output, (write) =>
    runTicks({ ticks, coin, everyS, book, candles, model: fitted, write, progress: progress.show }),
  ).finally(progress.end)
  if (metrics) await writeWhole(metrics, (write) => write(`${JSON.stringify(summary, null, 2)}\n`))
  tell(summary, output, (performance.now() - startedMs) / 1000)
}

/** The speed goes to stderr only: the files must not depend on the machine. */
function tell({ lines, events, warm_up_minutes, clock }: TickSummary, output: string, tookS: number): void {
  const rate = Math.round(events / tookS)
  const time = clock === 'exchange' ? 'exchange time' : 'local time, since a file has no exchange time'
  process.stderr.write(
    `${lines} lines from ${events} events in ${output}, ${rate} events per second, in order of ${time}\n`,
  )
  if (warm_up_minutes < WARM_MINUTES)
    process.stderr.write(
      `p_up is null: the model needs ${WARM_MINUTES} minutes before the ticks, there are ${warm_up_minutes}\n`,
    )
}
