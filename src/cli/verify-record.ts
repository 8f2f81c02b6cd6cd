// biome-ignore-all format: all in under 200 lines and nothing imported but what Node brings, to be read whole by a stranger
import { createHash, createPublicKey, verify } from 'node:crypto'
import { createReadStream, readFileSync, writeFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'

const HELP = `usage: tollbook verify-record <url|file> [--head saved.json] [--save-head file] [--export file] [--rpc url]
Recomputes every hash, signature, commitment, outcome and figure of a record; exits 1 and names what is untrue.
--head: an earlier head that the record must continue    --rpc: a node of the chain that holds the anchors
--export: keeps what was fetched, as a file to check     --at: the time now, where our clock is not to be asked\n`
type Sent = ReturnType<typeof JSON.parse> // by a stranger: nothing is known about it until it is checked
const [COINS, WINDOW_S, TAKE_BACK_S, REVEAL_WITHIN_S, STALE_S, SHOWN] = [['BTC', 'ETH', 'SOL', 'XRP'], 300, 30, 15 * 300, 900, 40]
const hash = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
const hashNode = (left: Buffer, right: Buffer) => hash(Buffer.from([1]), left, right)

/** Canonical JSON (RFC 8785): sorted names, and numbers as ECMAScript writes them. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`).join()}}`
}

/** A did:key is base58 of 0xed 0x01 and the 32 bytes of an Ed25519 key. */
function isSigned({ signature, ...head }: Sent): boolean {
  const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  const value = [...head.key_id.replace('did:key:z', '')].reduce((sum, letter) => sum * 58n + BigInt(letters.indexOf(letter)), 0n)
  const der = Buffer.from(value.toString(16).replace(/^ed01/, '302a300506032b6570032100'), 'hex')
  const text = Buffer.from(canonical({ what: 'tollbook-record-head-v1', ...head }))
  return verify(null, text, createPublicKey({ key: der, format: 'der', type: 'spki' }), Buffer.from(signature, 'base64url'))
}

/** The figures of a record as its methodology defines them. */
function figuresOf(rows: Sent[]): Sent {
  const mean = (of: number[]) => (of.length ? of.reduce((sum, each) => sum + each, 0) / of.length : null)
  const count = (...kinds: string[]) => rows.filter(({ kind }) => kinds.includes(kind)).length
  const revealed = rows.filter(({ kind }) => kind === 'reveal')
  const scored = revealed.filter(({ outcome }) => outcome !== 'unknown').map(toScore)
  const [n, called] = [scored.length, scored.filter(({ abstain }) => !abstain).map(({ hit }) => hit)]
  const [base_rate, brier] = [mean(scored.map(({ up }) => up)), mean(scored.map(({ p, up }) => (p - up) ** 2))]
  // Ten bins of equal mass, fewer below 200; what shares a ten-thousandth goes to the bin of the first of it.
  const sorted = n < 20 ? [] : scored.toSorted((a, b) => a.place - b.place)
  const rank = new Map(sorted.map(({ place }, at) => [place, at] as const).reverse())
  const binOf = ({ place = 0 }) => Math.floor(((rank.get(place) ?? 0) * Math.min(10, Math.floor(n / 20))) / n)
  const bins: Sent[] = [...Map.groupBy(sorted, binOf).values()].map((bin) => ({
    count: bin.length, lowest: (bin[0]?.place ?? 0) / 1e4, highest: ((bin.at(-1)?.place ?? 0) + 1) / 1e4,
    mean_probability: mean(bin.map(({ p }) => p)), up_rate: mean(bin.map(({ up }) => up)),
  }))
  const perBin = (of: (bin: Sent) => number) => mean(bins.flatMap((bin) => Array(bin.count).fill(of(bin))))
  return {
    entries: rows.length, committed: count('commit', 'reveal'), missed: count('missed', 'late'), late: count('late'),
    revealed: revealed.length, unknown: revealed.length - n, scored: n, called: called.length,
    hits: called.filter(Boolean).length, hit_rate: mean(called), base_rate, brier, bins,
    abstain_share: mean(revealed.map(({ prediction }) => +prediction.abstain)),
    log_loss: mean(scored.map(({ p, up }) => -Math.log(Math.max(1e-6, up ? p : 1 - p)))),
    skill: brier !== null && base_rate && base_rate < 1 ? 1 - brier / (base_rate * (1 - base_rate)) : null,
    ece: perBin((bin) => Math.abs(bin.mean_probability - bin.up_rate)),
    ece_noise_floor: perBin(({ count, mean_probability: p }) => Math.sqrt((2 * p * (1 - p)) / (Math.PI * count))),
  }
}
const toScore = ({ prediction: { probability_up: p, abstain }, outcome, hit }: Sent) =>
  ({ p, up: +(outcome === 'UP'), abstain, hit: +hit, place: Math.min(9_999, Math.floor(p * 1e4)) })
// Equal but for the last digits, which depend on the order of adding up.
function isSame(ours: unknown, theirs: unknown) {
  const [a = [], b = []] = [ours, theirs].map((value) => canonical(value).split(/[^\w.+-]+/))
  return a.length === b.length && a.every((part, n) => part === b[n] || Math.abs(+part - Number(b[n])) < 1e-9)
}

/** What must be true of a leaf after what stood of its entry before, where `dueS` is the coin's next window. */
function checkLeaf(leaf: Sent, before: Sent, dueS: number, atMs: number, claim: (isTrue: boolean, untrue: string) => void) {
  const { kind, id, coin, window_start: startS, prediction: said, salt, open, close, reason } = leaf
  const [isStanding, lateS] = [before?.kind === 'commit', atMs / 1000 - startS]
  claim(id === `${coin}-${startS}` && COINS.includes(coin), 'is not a valid entry')
  if (kind !== 'reveal') {
    const isTakenBack = isStanding && kind === 'missed' && reason === 'late' && lateS >= 0 && lateS <= TAKE_BACK_S
    claim(before ? isTakenBack : startS === dueS, `appears twice or was taken back too late, or ${coin}-${dueS} is missing`)
    return void claim(kind === 'commit' ? lateS < 0 : kind === 'missed' && Boolean(reason), 'was not committed before its window')
  }
  const seal = hash(Buffer.from(canonical({ prediction: said, salt }))).toString('hex')
  const isKnown = Boolean(open && close && open.price_kind === close.price_kind)
  const outcome = !isKnown ? 'unknown' : close.price >= open.price ? 'UP' : 'DOWN'
  const isOf = (price: Sent, atS: number) => !price || (price.price > 0 && Math.floor(Date.parse(price.at) / 1000) === atS)
  claim(isStanding && before.commitment === seal && salt.length === 64, 'is not what was committed, or is revealed twice')
  claim(said.coin === coin && said.window_start === startS, 'is a prediction of another window')
  claim(Date.parse(said.as_of) < startS * 1000, 'was predicted after its window opened')
  claim(said.direction === (said.probability_up >= 0.5 ? 'UP' : 'DOWN'), 'has a direction that contradicts its probability')
  claim(lateS >= WINDOW_S, 'is revealed before its window closed')
  claim(isOf(open, startS) && isOf(close, startS + WINDOW_S), 'has prices of other seconds')
  claim(leaf.outcome === outcome && !reason === isKnown, `came out ${outcome}, not ${leaf.outcome}`)
  claim(leaf.hit === (isKnown ? outcome === said.direction : null), `cannot have hit: ${leaf.hit}`)
}

/** Goes through the replies of `/record/calibration` and then `/record`, and names everything that is untrue. */
export async function checkRecord(replies: AsyncIterable<Sent> | Iterable<Sent>, saved?: Sent, nowMs?: number) {
  const [untrue, anchors, rows, stack]: [string[], Sent[], Map<string, Sent>, Buffer[]] = [[], [], new Map(), []]
  const claim = (isTrue: boolean, text: string) => void (isTrue || untrue.push(text))
  let [size, heads, lastMs, fresh, next, head, published, page]: Sent[] = [0, 0, 0, [], {}]
  const compare = ({ coin, ...theirs }: Sent) => {
    const all = figuresOf([...rows.values()].filter((row) => !coin || row.coin === coin))
    const ours = Object.fromEntries(Object.keys(theirs).map((key) => [key, all[key]]))
    claim(isSame(ours, theirs), `the figures of ${coin ?? 'all'} are ${canonical(ours)}, published as ${canonical(theirs)}`)
  }
  const enter = (leaf: Sent) => {
    const { id, coin, kind, window_start: startS } = leaf
    const [before, atMs] = [rows.get(id), Date.parse(leaf.committed_at ?? leaf.missed_at ?? leaf.revealed_at)]
    next.first ??= startS
    claim(atMs >= lastMs, `leaf ${size} is older than what it follows`)
    checkLeaf(leaf, before, next[coin] ?? next.first, atMs, (isTrue, text) => claim(isTrue, `leaf ${size}: ${id} ${text}`))
    rows.set(id, { ...before, ...leaf, kind: before && kind === 'missed' ? 'late' : kind, salt: '' })
    next[coin] = before ? next[coin] : startS + WINDOW_S
    if (kind === 'commit') fresh.push(startS)
    lastMs = Math.max(lastMs, atMs || 0)
    stack.push(hash(Buffer.from([0]), Buffer.from(canonical(leaf))))
    // A pair of equal subtrees ends here for every zero at the end of the new size in binary (RFC 6962).
    for (let n = ++size; n % 2 === 0; n /= 2) stack.push(hashNode(...(stack.splice(-2) as [Buffer, Buffer])))
  }
  const witness = (given: Sent, root: string) => {
    const name = given.tx ?? (given === saved ? 'the saved head' : `head ${size}`)
    claim(given.root_hash === root, `history was rewritten: ${name} is of other leaves than these ${size}`)
    if (given.tx) return void anchors.push(given)
    claim(given.key_id === page.key_id && isSigned(given), `${name} is not signed with the key of the record`)
    if (given === saved) return
    const atMs = Date.parse(given.timestamp)
    claim(atMs >= lastMs, `${name} is older than its leaves`)
    for (const startS of fresh) claim(atMs < startS * 1000, `${name} came after the window ${startS} had opened`)
    ;[lastMs, fresh, head, heads] = [Math.max(lastMs, atMs || 0), [], given, heads + 1]
  }
  for await (const reply of replies) {
    ;[published, page] = reply.overall ? [reply, page] : [published, reply]
    const told = Map.groupBy([saved ?? {}, ...(reply.heads ?? []), ...(reply.anchors ?? [])], ({ tree_size }) => tree_size)
    for (const { index, leaf } of reply.entries ?? []) {
      claim(index === size, `leaf ${size} is numbered ${index}`)
      try {
        enter(leaf)
        const here = told.get(size) ?? []
        const root = here.length && stack.reduceRight((right, left) => hashNode(left, right)).toString('hex')
        for (const each of here) witness(each, root || '')
        if (published?.tree_size === size) [published.overall, ...published.coins].forEach(compare)
      } catch (error) { claim(false, `leaf ${size} or its head cannot be read: ${error}`) }
    }
  }
  const [endMs, seenS] = [Date.parse(head?.timestamp), Math.min(...COINS.map((coin) => next[coin] ?? 0))]
  if (size > 0) claim(seenS === next.BTC && seenS * 1000 >= endMs - 2 * WINDOW_S * 1000, `windows are missing from ${seenS} on`)
  for (const { id, kind, window_start } of rows.values())
    claim(kind !== 'commit' || endMs <= (window_start + WINDOW_S + REVEAL_WITHIN_S) * 1000, `${id} was never revealed`)
  const isAll = (page?.head?.tree_size ?? 0) === size && page?.head?.signature === head?.signature
  claim(isAll && (published?.tree_size ?? 0) <= size, 'the newest head and the figures are not of the leaves that were served')
  claim(!saved || saved.tree_size <= size, `history was rewritten: ${size} leaves are fewer than those of the saved head`)
  claim(!nowMs || !size || Math.abs(nowMs - endMs) <= STALE_S * 1000, `the record ends at ${head?.timestamp}`)
  if (page) compare(page.totals)
  return { untrue, size, heads, head, anchors, figures: figuresOf([...rows.values()]) }
}

/** From a file that `--export` wrote, or page by page over HTTP. */
async function* repliesOf(source: string, file = ''): AsyncGenerator<Sent> {
  if (!/^https?:/.test(source)) for await (const line of createInterface(createReadStream(source))) yield JSON.parse(line)
  else for (let path = '/record/calibration', from: number | null = -1; from !== null; path = `/record?from=${from}&limit=1000`) {
    const reply = await fetch(source.replace(/\/$/, '') + path)
    if (!reply.ok) throw new Error(`${path} answers ${reply.status}`)
    const body: Sent = await reply.json()
    if (file) writeFileSync(file, `${JSON.stringify(body)}\n`, { flag: body.overall ? 'w' : 'a' })
    if (process.stderr.isTTY) process.stderr.write(`\r${body.next ?? body.tree_size ?? body.head?.tree_size} leaves `)
    from = body.overall ? 0 : body.next > Number(from) ? body.next : null
    yield body
  }
}

async function checkAnchors(rpcUrl: string, anchors: Sent[], untrue: string[]): Promise<void> {
  for (const { tree_size, root_hash, tx } of anchors) {
    const call = (method: string) => ({ method: 'POST', headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: [tx] }) })
    const ask = async (method: string): Promise<Sent> => (await fetch(rpcUrl, call(method))).json()
    const data = `0x${Buffer.from('tollbook').toString('hex')}${tree_size.toString(16).padStart(16, '0')}${root_hash}`
    const [found, receipt] = [await ask('eth_getTransactionByHash'), await ask('eth_getTransactionReceipt')]
    if (found.result?.input !== data || receipt.result?.status !== '0x1') untrue.push(`anchor: ${tx} does not hold the root of ${tree_size} leaves`)
  }
}

export const run = (args: string[]): Promise<void> => verifyRecord(args).catch(({ message }) => {
  process.stderr.write(`tollbook: ${message}\n`)
  process.exitCode = 1
})
async function verifyRecord(args: string[]): Promise<void> {
  const [text, flag] = [{ type: 'string' }, { type: 'boolean', short: 'h' }] as const
  const options = { head: text, 'save-head': text, export: text, rpc: text, at: text, help: flag }
  const { values, positionals: [source] } = parseArgs({ args, allowPositionals: true, options })
  if (values.help) return void process.stdout.write(HELP)
  if (!source) throw new Error(`name the record to check\n${HELP}`)
  const saved = values.head && JSON.parse(readFileSync(values.head, 'utf8'))
  const nowMs = values.at ? Date.parse(values.at) : /^https?:/.test(source) ? Date.now() : undefined
  const { untrue, size, heads, head, anchors, figures } = await checkRecord(repliesOf(source, values.export), saved, nowMs)
  if (values.rpc) await checkAnchors(values.rpc, anchors, untrue)
  if (values['save-head'] && untrue.length === 0) writeFileSync(values['save-head'], JSON.stringify(head))
  const table = Object.entries({ ...figures, bins: figures.bins.length }).map(([name, value]) => `${name.padEnd(16)} ${value}`)
  const facts = `${size} leaves, ${heads} heads up to ${head?.timestamp}, ${anchors.length} anchors, key ${head?.key_id}`
  const verdict = untrue.length ? `UNTRUE in ${untrue.length} places` : 'true: nothing was changed, left out, reordered or backdated'
  process.stdout.write(`${[facts, ...table, ...untrue.slice(0, SHOWN).map((each) => `untrue: ${each}`), verdict].join('\n')}\n`)
  process.exitCode = untrue.length ? 1 : 0
}
