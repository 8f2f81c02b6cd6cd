import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createPaperBroker } from '../../../src/bot/brokers/paper/paper-broker.ts'
import { createPolymarketBroker } from '../../../src/bot/brokers/polymarket/polymarket-broker.ts'
import { toConfigText } from '../../../src/bot/config/stored-config.ts'
import { createBot } from '../../../src/bot/create-bot.ts'
import { ServiceError } from '../../../src/core/service-error.ts'
import { createMemoryBotBook } from '../../../src/testing/ledger/bot/memory-bot-book.ts'
import { createMemoryPaperBook } from '../../../src/testing/ledger/bot/memory-paper-book.ts'
import { TradingError } from '../../../src/upstreams/polymarket/trading/trading-error.ts'

/** The code that is put to the test: the real thing, or a copy with one planted bug. */
export type BotCode = {
  createBot: typeof createBot
  createPaperBroker: typeof createPaperBroker
  createPolymarketBroker: typeof createPolymarketBroker
  createMemoryBotBook: typeof createMemoryBotBook
  createMemoryPaperBook: typeof createMemoryPaperBook
  toConfigText: typeof toConfigText
  ServiceError: typeof ServiceError
  TradingError: typeof TradingError
}

export const realCode: BotCode = {
  createBot,
  createPaperBroker,
  createPolymarketBroker,
  createMemoryBotBook,
  createMemoryPaperBook,
  toConfigText,
  ServiceError,
  TradingError,
}

/** One change of one file: the text must stand there exactly once. */
export type Patch = { file: string; from: string; to: string }

const SOURCE = fileURLToPath(new URL('../../../src/', import.meta.url))
const MODULES = fileURLToPath(new URL('../../../node_modules/', import.meta.url))
/** All that the bot imports when it runs; the rest are types, which are gone by then. */
const FOLDERS = ['core', 'upstreams', 'feeds', 'market', 'signals', 'ledger', 'bot', 'testing/ledger']
const PARTS = [
  'bot/create-bot.ts',
  'bot/brokers/paper/paper-broker.ts',
  'bot/brokers/polymarket/polymarket-broker.ts',
  'bot/config/stored-config.ts',
  'core/service-error.ts',
  'testing/ledger/bot/memory-bot-book.ts',
  'testing/ledger/bot/memory-paper-book.ts',
  'upstreams/polymarket/trading/trading-error.ts',
]

/** Copies the real files, plants the bug and loads the copy. A patch that no longer fits is an error, not a pass. */
export async function loadPatched(patches: readonly Patch[]): Promise<BotCode> {
  const folder = mkdtempSync(join(tmpdir(), 'tollbook-bot-mutant-'))
  try {
    plant(folder, patches)
    const parts = await Promise.all(PARTS.map((file) => import(pathToFileURL(join(folder, file)).href)))
    return Object.assign({}, ...parts) as BotCode
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function plant(folder: string, patches: readonly Patch[]): void {
  const isSource = (path: string) => !path.endsWith('.test.ts')
  for (const name of FOLDERS)
    cpSync(join(SOURCE, name), join(folder, name), { recursive: true, filter: isSource })
  symlinkSync(MODULES, join(folder, 'node_modules'), 'dir')
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const { file, from, to } of patches) {
    const text = readFileSync(join(folder, file), 'utf8')
    if (text.split(from).length !== 2) throw new Error(`the patch does not fit ${file} exactly once: ${from}`)
    writeFileSync(
      join(folder, file),
      text.replace(from, () => to),
    )
  }
}
