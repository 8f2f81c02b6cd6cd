import {
  type GetPromptResult,
  type Prompt,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import { isPaid } from '../catalog/catalog.ts'
import type { Site } from '../catalog/site.ts'
import { COINS, type Coin, findCoin } from '../core/coin.ts'
import { priceOf } from '../discovery/prices/price.ts'
import { toolProducts } from './tools.ts'

type Args = Readonly<Record<string, string>>
type Written = { prompt: Prompt; write: (args: Args) => string }
export type Prompts = { list: readonly Prompt[]; get(name: string, args: Args): GetPromptResult }

const ARGUMENT_CHARS = 2_000

/** They help to choose and to read: which tool answers a question for how much, and what a signal is worth. */
export function createPrompts(site: Site): Prompts {
  const written = [choose(site), outlook()]
  const byName = new Map(written.map((each) => [each.prompt.name, each]))
  return {
    list: written.map(({ prompt }) => prompt),
    get(name, args) {
      const found = byName.get(name)
      if (!found) throw invalid(`the prompts are ${[...byName.keys()].join(', ')}`)
      const { prompt, write } = found
      for (const { name: needed, required } of prompt.arguments ?? [])
        if (required && !args[needed]) throw invalid(`${needed} is required`)
      const text = write(
        Object.fromEntries(Object.entries(args).map(([key, value]) => [key, value.slice(0, ARGUMENT_CHARS)])),
      )
      const { description } = prompt
      return {
        ...(description && { description }),
        messages: [{ role: 'user', content: { type: 'text', text } }],
      }
    },
  }
}

const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message)

const SHOWN_CHARS = 100
const shown = (text: string) => JSON.stringify(text.slice(0, SHOWN_CHARS))
const DOLLARS = /^\d{1,9}(\.\d{1,6})?$/

/** What a prompt is filled with is read by a model: nothing but a number may stand there. */
function parseBudget(text: string): string {
  if (DOLLARS.test(text.trim())) return text.trim()
  throw invalid(`budget_usd must be a plain number of US dollars such as 0.05, not ${shown(text)}`)
}

function parseCoin(text: string): Coin {
  const coin = findCoin(text.trim())
  if (coin) return coin
  throw invalid(`coin must be one of ${COINS.join(', ')}, not ${shown(text)}`)
}

function choose(site: Site): Written {
  const lines = [...toolProducts(site)].map(([name, product]) => {
    const price = isPaid(product) ? priceOf(product).human : 'free'
    return `- ${name} (${price}): ${product.summary}`
  })
  return {
    prompt: {
      name: 'choose_tools',
      title: 'Choose tools within a budget',
      description: 'Which tools answer a question about the market, and what they cost together.',
      arguments: [
        { name: 'question', description: 'What you want to know', required: true },
        { name: 'budget_usd', description: 'What you are ready to spend, in US dollars' },
      ],
    },
    write: ({ question = '', budget_usd = '' }) =>
      [
        `Question: ${question}`,
        budget_usd === '' ? '' : `Budget: ${parseBudget(budget_usd)} US dollars.`,
        'Choose the fewest tools that answer it, name the sum of their prices, and call none that the question does not need. A call that fails costs nothing. Each reply says how old its data is.',
        lines.join('\n'),
      ]
        .filter((part) => part !== '')
        .join('\n\n'),
  }
}

function outlook(): Written {
  return {
    prompt: {
      name: 'five_minute_outlook',
      title: 'Read the five-minute signal of a coin',
      description: 'The signal of the window that is open, weighed by how well such signals were calibrated.',
      arguments: [{ name: 'coin', description: `One of ${COINS.join(', ')}`, required: true }],
    },
    write: ({ coin = '' }) =>
      `Call get_signal with coins=${parseCoin(coin).toLowerCase()}, and read the resource on calibration. Say the direction with its probability, how often forecasts of that probability came true, how many seconds of the window remain, and what speaks against it. A probability near 0.5 is indistinguishable from a coin flip: say so. This is not advice.`,
  }
}
