import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { checkAnchors } from './anchors.ts'
import { checkRecord } from './check-record.ts'
import { fetchReplies, readReplies } from './replies.ts'
import { parseJson, type Sent, shown } from './sent.ts'
import { count, judge, leaves, type Options, TRUE, UNREADABLE, UNTRUE } from './verdict.ts'

/** Texts of each list that are printed. */
const SHOWN = 40

const HELP = `usage: tollbook verify-record <url|file> [options]

Recomputes every hash, signature, commitment, outcome and figure of a public track record, and says
what is proven, what was not checked and what is untrue. Trusts nothing that the server says.

  --head <file>       a head that you saved earlier, which the record must continue
  --save-head <file>  keep the newest head for that, unless something is untrue
  --rpc <url>         a node of the chain that holds the anchors; without one they are not checked
  --export <file>     keep what was fetched, as a file to check
  --at <time>         the time now, as in 2026-01-05T12:00:00Z, where our clock is not to be asked
  --json              the verdict as JSON

exit code  0  true, and everything that can be checked was checked
           1  something is untrue
           2  not checked at all: wrong usage, or the record could not be read
           3  true as far as checked, but something was not checked: the verdict names it
`

async function verifyRecord(options: Options): Promise<number> {
  const { source, rpc, at } = options
  const isUrl = /^https?:/i.test(source)
  const saved = options.head ? readHead(options.head) : undefined
  const nowMs = at ? Date.parse(at) : isUrl ? Date.now() : undefined
  const found = await checkRecord(
    isUrl ? fetchReplies(source, options.export) : readReplies(source),
    saved,
    nowMs,
  )
  const { untrue, size, heads, anchors, figures } = found
  const whyNoAnchors = rpc && anchors.length > 0 ? await checkAnchors(rpc, anchors, untrue) : undefined
  const { code, of, verdict, proven, unchecked, notes, head } = judge(
    found,
    options,
    saved,
    nowMs,
    whyNoAnchors,
  )
  if (options['save-head'] && head && code !== UNTRUE)
    writeFileSync(options['save-head'], JSON.stringify(head))
  const named = (name: string, texts: string[]) => texts.slice(0, SHOWN).map((each) => `${name}: ${each}`)
  const table = !head
    ? []
    : Object.entries({ ...figures, bins: figures.bins.length }).map(
        ([name, value]) => `${name.padEnd(16)} ${value}`,
      )
  const facts = head
    ? `${leaves(size)}, ${count(heads, 'head')} up to ${shown(head.timestamp, 30)}, ${count(anchors.length, 'anchor')}, key ${shown(head.key_id)}`
    : 'nothing is in it yet: a leaf is written before each five-minute window opens'
  const lists = [
    ...named('proven', proven),
    ...named('not checked', unchecked),
    ...named('note', notes),
    ...named('untrue', untrue),
  ]
  const json = {
    verdict,
    exit_code: code,
    mode: found.mode ?? null,
    proven,
    not_checked: unchecked,
    notes,
    untrue,
    leaves: size,
    heads,
    head: head ?? null,
    key_changes: found.changes,
    anchors,
    figures,
  }
  const ascii = () =>
    JSON.stringify(json).replace(
      /[^ -~]/g,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
  process.stdout.write(
    options.json
      ? `${ascii()}\n`
      : `${[of, facts, ...table, ...lists, verdict].map((line) => shown(line, 2_000)).join('\n')}\n`,
  )
  return code
}

function readHead(file: string): Sent {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new Error(`there is no file ${file}: name one that --save-head wrote`)
  const head = parseJson(readFileSync(file, 'utf8'))
  if (
    Number.isSafeInteger(head?.tree_size) &&
    head.tree_size > 0 &&
    head.root_hash &&
    head.key_id &&
    head.signature
  )
    return head
  throw new Error(`${file} is not a head that --save-head wrote`)
}

/** Throws what is wrong with the options. */
function readOptions(args: string[]): Options {
  const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const
  const options = {
    head: text,
    'save-head': text,
    export: text,
    rpc: text,
    at: text,
    json: flag,
    help: { ...flag, short: 'h' },
  } as const
  const {
    values,
    positionals: [source = '', ...more],
  } = parseArgs({ args, allowPositionals: true, options })
  if (!values.help && (!source || more.length))
    throw new Error('name one record to check, by its address or its file')
  if (values.at && Number.isNaN(Date.parse(values.at)))
    throw new Error(`--at ${values.at} is no time: write it as in 2026-01-05T12:00:00Z`)
  if (values.rpc && !/^https?:/i.test(values.rpc))
    throw new Error(`--rpc ${values.rpc} is no address: it begins with http:// or https://`)
  return { ...values, source }
}

export async function run(args: string[]): Promise<void> {
  // Node adds advice for options that are meant as arguments.
  const say = (error: unknown, more = '') =>
    void process.stderr.write(
      `tollbook: ${(error as Error).message.replace(/\. To specify [\s\S]*/, '')}\n${more}`,
    )
  process.exitCode = UNREADABLE
  let options: Options
  try {
    options = readOptions(args)
  } catch (error) {
    return say(error, `\n${HELP}`)
  }
  if (options.help) process.exitCode = TRUE
  if (options.help) return void process.stdout.write(HELP)
  try {
    process.exitCode = await verifyRecord(options)
  } catch (error) {
    say(error)
  }
}
