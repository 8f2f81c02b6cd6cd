// biome-ignore-all format: all in one short file and nothing imported but what Node brings, to be read whole by a stranger
import { createHash, createPublicKey, verify } from 'node:crypto'
import { createReadStream, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

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
type Sent = ReturnType<typeof JSON.parse> // by a stranger: nothing is known about it until it is checked
const [COINS, WINDOW_S, TAKE_BACK_S, REVEAL_WITHIN_S, STALE_S, SHOWN] = [['BTC', 'ETH', 'SOL', 'XRP'], 300, 30, 15 * 300, 900, 40]
const [TRUE, UNTRUE, UNREADABLE, INCOMPLETE, ANSWER_WITHIN_MS] = [0, 1, 2, 3, 30_000]
const isMode = (mode: Sent) => typeof mode === 'string' && Object.hasOwn(MODES, mode)
/** Of a reply, its nesting, a record and what is said against it: more than there ever is of an honest one. */
const [MOST_BYTES, MOST_DEPTH, MOST_PAGES, MOST_UNTRUE] = [32 * 2 ** 20, 16, 20_000, 1_000]
const MODES: Record<string, string> = {
  sandbox: 'the SANDBOX: simulated windows', paper: 'PAPER mode: real prices, play money', live: 'LIVE mode: real prices, real money',
}
/** Whatever a stranger sent, as it may be printed: on one line, without codes for the terminal, and not endless. */
function shown(sent: unknown, most = 100): string {
  const text = typeof sent === 'string' ? sent : (JSON.stringify(sent) ?? 'undefined')
  return text.slice(0, most).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\uFFFD') + (text.length > most ? '…' : '')
}
/** NaN where it is not written as in 2026-01-05T12:00:00.000Z. */
const timeOf = (sent: unknown) => (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(String(sent)) ? Date.parse(String(sent)) : Number.NaN)
const hash = (...parts: Buffer[]) => createHash('sha256').update(Buffer.concat(parts)).digest()
const hashNode = (left: Buffer, right: Buffer) => hash(Buffer.from([1]), left, right)

/** Canonical JSON (RFC 8785): sorted names, and numbers as ECMAScript writes them. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`).join()}}`
}

/** A did:key is base58 of 0xed 0x01 and the 32 bytes of an Ed25519 key. `what` tells apart the things that it signs. */
function isSigned(keyId: string, what: string, said: Sent, signature: string): boolean {
  if (!/^did:key:z[1-9A-HJ-NP-Za-km-z]{40,60}$/.test(keyId) || typeof signature !== 'string') return false
  const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  const value = [...keyId.replace('did:key:z', '')].reduce((sum, letter) => sum * 58n + BigInt(letters.indexOf(letter)), 0n)
  if (!/^ed01[0-9a-f]{64}$/.test(value.toString(16))) return false
  const der = Buffer.from(value.toString(16).replace(/^ed01/, '302a300506032b6570032100'), 'hex')
  const key = createPublicKey({ key: der, format: 'der', type: 'spki' })
  const bytes = Buffer.from(signature, 'base64url')
  return bytes.toString('base64url') === signature && verify(null, Buffer.from(canonical({ ...said, what })), key, bytes)
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
const TOTALS = ['entries', 'committed', 'missed', 'late', 'revealed', 'unknown', 'scored', 'called', 'hits']
/** Equal in every member, but for the last digits, which depend on the order of adding up. */
function isSame(ours: Sent, theirs: Sent): boolean {
  if (typeof ours === 'number') return typeof theirs === 'number' && Math.abs(ours - theirs) < 1e-9
  if (typeof ours !== 'object' || ours === null) return ours === theirs
  const isAlike = isObject(theirs) && Array.isArray(ours) === Array.isArray(theirs)
  return isAlike && namesOf(ours, theirs).every((name) => Object.hasOwn(ours, name) && isSame(ours[name], theirs[name]))
}
const isObject = (value: Sent): boolean => typeof value === 'object' && value !== null
const namesOf = (...objects: Sent[]) => [...new Set(objects.flatMap((each) => Object.keys(each ?? {})))]

/** What is published of `rows` must be every figure of `names`, or all of them, and no other. */
function checkFigures(rows: Sent[], theirs: Sent, of: string, claim: Claim, names?: string[]) {
  const all = figuresOf(rows)
  const ours = Object.fromEntries((names ?? Object.keys(all)).map((name) => [name, all[name]]))
  const others = namesOf(ours, theirs).filter((name) => !isSame(ours[name], theirs?.[name]) || !Object.hasOwn(theirs, name))
  const pick = (from: Sent) => canonical(Object.fromEntries(others.map((name) => [name, from?.[name] ?? null])))
  claim(isObject(theirs) && others.length === 0, `the figures of ${shown(of)} are ${shown(pick(ours), 400)}, published as ${shown(pick(theirs), 400)}`)
}
function checkCalibration(rows: Sent[], { overall, coins }: Sent, claim: Claim) {
  checkFigures(rows, overall, 'all', claim)
  const coinsOf = (list: Sent[]) => list.map((each) => shown(each?.coin)).sort().join()
  claim(coinsOf(coins) === COINS.join(), `the figures are published of the coins ${shown(coinsOf(coins))}, not of ${COINS}`)
  for (const { coin, ...theirs } of coins.filter(isObject)) checkFigures(rows.filter((row) => row.coin === coin), theirs, coin, claim)
}

/** What must be true of a leaf after what stood of its entry before, where `dueS` is the coin's next window. */
function checkLeaf(leaf: Sent, before: Sent, dueS: number, atMs: number, claim: Claim) {
  const { kind, id, coin, window_start: startS, prediction: said, salt, open, close, reason } = leaf
  const [isStanding, lateS] = [before?.kind === 'commit', atMs / 1000 - startS]
  claim(COINS.includes(coin) && Number.isSafeInteger(startS) && id === `${coin}-${startS}`, 'is not a valid entry')
  if (kind !== 'reveal') {
    const isTakenBack = isStanding && kind === 'missed' && reason === 'late' && lateS >= 0 && lateS <= TAKE_BACK_S
    claim(before ? isTakenBack : startS === dueS, `appears twice or was taken back too late, or ${shown(coin)}-${shown(dueS)} is missing`)
    return void claim(kind === 'commit' ? lateS < 0 : kind === 'missed' && Boolean(reason), 'was not committed before its window')
  }
  const seal = hash(Buffer.from(canonical({ prediction: said, salt }))).toString('hex')
  const isKnown = Boolean(open && close && open.price_kind === close.price_kind)
  const outcome = !isKnown ? 'unknown' : close.price >= open.price ? 'UP' : 'DOWN'
  const isOf = (price: Sent, atS: number) => !price || (typeof price.price === 'number' && price.price > 0 && Math.floor(timeOf(price.at) / 1000) === atS)
  claim(isStanding && before.commitment === seal && salt.length === 64, 'is not what was committed, or is revealed twice')
  claim(said.coin === coin && said.window_start === startS, 'is a prediction of another window')
  claim(timeOf(said.as_of) < startS * 1000, 'was predicted after its window opened')
  claim(typeof said.probability_up === 'number' && said.probability_up >= 0 && said.probability_up <= 1 && typeof said.abstain === 'boolean', 'has no probability')
  claim(said.direction === (said.probability_up >= 0.5 ? 'UP' : 'DOWN'), 'has a direction that contradicts its probability')
  claim(lateS >= WINDOW_S, 'is revealed before its window closed')
  claim(isOf(open, startS) && isOf(close, startS + WINDOW_S), 'has prices of other seconds')
  claim(leaf.outcome === outcome && !reason === isKnown, `came out ${outcome}, not ${shown(leaf.outcome)}`)
  claim(leaf.hit === (isKnown ? outcome === said.direction : null), `cannot have hit: ${shown(leaf.hit)}`)
}

/** What must be true of a change of the key after `keyIds` signed in turn, the last of them until now. */
function checkKeyChange(leaf: Sent, { keyIds, changes, tree }: Seen, claim: Claim) {
  const { old_signature, new_signature, ...change } = leaf
  const { id, reason, old_key_id: oldId, new_key_id: newId } = change
  const signs = (keyId: string, signature: string) => isSigned(keyId, 'tollbook-record-key-v1', change, signature)
  const isHere = change.tree_size === tree.size && change.root_hash === tree.root()
  claim(id === `key-${changes.length + 1}` && isHere, 'is a change of the key of another record or place')
  claim(oldId === (keyIds.at(-1) ?? oldId), 'replaces another key than the one that signed so far')
  claim(newId !== oldId && !keyIds.includes(newId), 'brings back a key that was replaced')
  claim(signs(newId, new_signature), 'is not signed by the new key')
  claim(reason === 'rotated' ? signs(oldId, old_signature) : reason === 'lost' && old_signature === null, 'is not signed by the old key')
}

type Claim = (isTrue: boolean, untrue: string) => void
/** What was gone through so far. */
type Seen = ReturnType<typeof createSeen>
const createSeen = () => ({
  untrue: [] as string[], tree: createTree(), rows: new Map<string, Sent>(), anchors: [] as Sent[],
  /** Every key that signed, in turn, and the leaves that changed it. */
  keyIds: [] as string[], changes: [] as Sent[],
  head: undefined as Sent, heads: 0, mode: undefined as Sent, unstated: 0,
  /** Windows without a head over their commitment; the next window of each coin. */
  fresh: [] as number[], next: {} as Record<string, number>,
  /** Of the last leaf or head, and of the last head that went on with the windows. */
  lastMs: 0, endMs: 0,
})

/** The root of a growing list of leaves (RFC 6962, section 2.1). */
function createTree() {
  const stack: Buffer[] = []
  return {
    size: 0,
    add(leaf: Sent) {
      stack.push(hash(Buffer.from([0]), Buffer.from(canonical(leaf))))
      // A pair of equal subtrees ends here for every zero at the end of the new size in binary.
      for (let n = ++this.size; n % 2 === 0; n /= 2) stack.push(hashNode(...(stack.splice(-2) as [Buffer, Buffer])))
    },
    root: () => (stack.length ? stack.reduceRight((right, left) => hashNode(left, right)) : hash()).toString('hex'),
  }
}

function enterLeaf(seen: Seen, leaf: Sent, claim: Claim) {
  const { rows, next, tree, keyIds } = seen
  const { id, coin, kind, window_start: startS } = leaf
  const [before, atMs] = [rows.get(id), timeOf(leaf.committed_at ?? leaf.missed_at ?? leaf.revealed_at ?? leaf.changed_at)]
  const claimOf: Claim = (isTrue, text) => claim(isTrue, `leaf ${tree.size}: ${shown(id)} ${text}`)
  claimOf(atMs >= seen.lastMs, 'is older than what it follows')
  if (kind === 'key') {
    checkKeyChange(leaf, seen, claimOf)
    keyIds.push(...(keyIds.length ? [] : [leaf.old_key_id]), leaf.new_key_id)
    seen.changes.push(leaf)
  } else {
    next.first ??= startS
    checkLeaf(leaf, before, next[coin] ?? Number(next.first), atMs, claimOf)
    rows.set(id, { ...before, ...leaf, kind: before && kind === 'missed' ? 'late' : kind, salt: '' })
    if (!before) next[coin] = startS + WINDOW_S
    if (kind === 'commit') seen.fresh.push(startS)
  }
  seen.lastMs = Math.max(seen.lastMs, atMs || 0)
  tree.add(leaf)
}

/** A head or an anchor of the leaves so far; `kind` is that of the last of them. */
function checkWitness(seen: Seen, given: Sent, saved: Sent, kind: string, claim: Claim) {
  const { tree, keyIds } = seen
  const name = given.tx ? `anchor ${shown(given.tx)}` : (given === saved ? 'the saved head' : `head ${tree.size}`)
  claim(given.root_hash === tree.root(), `history was rewritten: ${name} is of other leaves than these ${tree.size}`)
  if (given.tx) return void seen.anchors.push(given)
  const { signature, ...said } = given
  if (keyIds.length === 0) keyIds.push(given.key_id)
  claim(given.key_id === keyIds.at(-1) && isSigned(given.key_id, 'tollbook-record-head-v1', said, signature), `${name} is not signed with the key of the record`)
  if (seen.mode === undefined) claim(given.mode === undefined || isMode(given.mode), `the mode ${shown(given.mode)} is none that is known`)
  if (seen.mode === undefined) seen.mode = given.mode
  claim(given.mode === seen.mode, `${name} is of the mode ${shown(given.mode)}, what stands before it of ${shown(seen.mode)}`)
  if (given === saved) return
  const atMs = timeOf(given.timestamp)
  claim(atMs >= seen.lastMs, `${name} is older than its leaves`)
  for (const startS of seen.fresh) claim(atMs < startS * 1000, `${name} came after the window ${shown(startS)} had opened`)
  // A change of the key, made while the service stands still, does not go on with the windows.
  if (kind !== 'key') seen.endMs = atMs
  Object.assign(seen, { lastMs: Math.max(seen.lastMs, atMs || 0), fresh: [], head: given, heads: seen.heads + 1, unstated: seen.unstated + (given.mode === undefined ? 1 : 0) })
}

/** What must be true at the end, where `page` is the last one. */
function checkEnd({ tree, rows, next, keyIds, changes, head, endMs }: Seen, page: Sent, saved: Sent, nowMs: number | undefined, claim: Claim) {
  const seenS = Math.min(...COINS.map((coin) => next[coin] ?? 0))
  if (rows.size > 0) claim(seenS === next.BTC && seenS * 1000 >= endMs - 2 * WINDOW_S * 1000, `windows are missing from ${shown(seenS)} on`)
  for (const { id, kind, window_start } of rows.values())
    claim(kind !== 'commit' || endMs <= (window_start + WINDOW_S + REVEAL_WITHIN_S) * 1000, `${shown(id)} was never revealed`)
  claim((head?.tree_size ?? 0) === tree.size, `the leaves from ${shown(head?.tree_size ?? 0)} on are under no signed head`)
  claim(canonical(page?.head ?? null) === canonical(head ?? null), 'the newest head is published as another than the last one over the leaves')
  claim(!saved || saved.tree_size <= tree.size, `history was rewritten: ${tree.size} leaves are fewer than those of the saved head`)
  claim(!nowMs || !rows.size || Math.abs(nowMs - endMs) <= STALE_S * 1000, `the record ends at ${new Date(endMs || 0).toISOString()}`)
  const former = changes.map((leaf) => ({ key_id: leaf.old_key_id, until: leaf.changed_at, replaced_by: leaf.new_key_id, reason: leaf.reason }))
  const isPublished = page?.key_id === keyIds.at(-1) && canonical(page?.former_keys ?? former) === canonical(former)
  claim(!tree.size || isPublished, 'the keys are published as others than those that signed')
}

const MEMBERS = {
  entries: ['an entry', 'index', 'leaf'], heads: ['a head', 'tree_size', 'root_hash', 'timestamp', 'key_id', 'signature'],
  anchors: ['an anchor', 'tree_size', 'root_hash', 'network', 'tx'],
}
/** Those of a list on the page from the leaf `from` on that can be looked at; every other one is named. */
function wellFormed(page: Sent, list: keyof typeof MEMBERS, from: number, claim: Claim): Sent[] {
  const [what, ...names] = MEMBERS[list]
  const isRight = (value: Sent, name: string) =>
    name === 'leaf' ? isObject(value) : /index|tree_size/.test(name) ? Number.isSafeInteger(value) : typeof value === 'string'
  return (page[list] ?? []).filter((each: Sent, n: number) => {
    const isIt = isObject(each) && names.every((name) => isRight(each[name], name))
    claim(isIt, `/record?from=${from}: ${list}[${n}] is malformed: expected ${what} with ${names.join(', ')}`)
    return isIt
  })
}

/** Goes through the replies of `/record/calibration` and then `/record`, and names everything that is untrue. */
export async function checkRecord(replies: AsyncIterable<Sent> | Iterable<Sent>, saved?: Sent, nowMs?: number) {
  const seen = createSeen()
  const { untrue, tree, rows } = seen
  const claim: Claim = (isTrue, text) => void (isTrue || untrue.length >= MOST_UNTRUE || untrue.push(text))
  let [published, page, isCompared]: Sent[] = []
  const compareAll = () => {
    if (published?.tree_size !== tree.size || tree.size !== (seen.head?.tree_size ?? 0)) return
    checkCalibration([...rows.values()], published, claim)
    isCompared = true
  }
  for await (const reply of replies) {
    ;[published, page] = reply.overall && !page ? [reply, page] : [published, reply]
    if (reply === published) compareAll()
    const from = tree.size
    const witnesses = [...wellFormed(reply, 'heads', from, claim), ...wellFormed(reply, 'anchors', from, claim)]
    const told = Map.groupBy([...(saved ? [saved] : []), ...witnesses], ({ tree_size }) => tree_size)
    for (const { index, leaf } of wellFormed(reply, 'entries', from, claim)) {
      claim(index === tree.size, `leaf ${tree.size} is numbered ${shown(index)}`)
      try {
        enterLeaf(seen, leaf, claim)
        for (const each of told.get(tree.size) ?? []) checkWitness(seen, each, saved, leaf.kind, claim)
        compareAll()
      } catch { claim(false, `leaf ${tree.size} is malformed: expected the members that the methodology lists for its kind`) }
    }
    for (const { tree_size: size } of witnesses) claim(size > from && size <= tree.size, `a head or anchor of ${shown(size)} leaves is not over those that came with it`)
    if (untrue.length >= MOST_UNTRUE) break
  }
  checkEnd(seen, page, saved, nowMs, claim)
  claim(!published || isCompared, `the figures are of ${shown(published?.tree_size)} leaves, over which there is no head among the ${tree.size} that were served`)
  if (page?.totals) checkFigures([...rows.values()], page.totals, 'all', claim, TOTALS)
  const unchecked = [...(published ? [] : ['the figures of /record/calibration: they were not given']), ...(page?.totals ? [] : ['the totals of /record: they were not given'])]
  return { ...seen, unchecked, figuresSize: published?.tree_size, size: tree.size, figures: figuresOf([...rows.values()]) }
}

/** Fetches JSON; what goes wrong is said with the address, the cause and what to do. */
async function ask(url: string, init: RequestInit = {}): Promise<Sent> {
  const causes: [RegExp, string][] = [
    [/ENOTFOUND|EAI_AGAIN/, 'nobody knows this host name: check its spelling, and the network'],
    [/ECONNREFUSED/, 'nothing listens there: check host and port, and whether the service runs'],
    [/TIMEOUT|TimeoutError|ETIMEDOUT/, `no answer within ${ANSWER_WITHIN_MS / 1000} s: try again later, or check the address`],
    [/CERT|SSL|TLS|EPROTO|SELF_SIGNED|ISSUER/, 'no secure connection: check the certificate, and http against https'],
    [/ECONNRESET|UND_ERR_SOCKET|EPIPE|HPE_/, 'the connection was cut: try again, and check http against https'],
    [/UNREACH/, 'there is no way to that host: check the network'],
  ]
  const failed = (error: Sent): never => {
    const code = error.cause?.code ?? error.name
    const [, why = `${shown(error.cause?.message || error.message)}: check the address`] = causes.find(([of]) => of.test(String(code))) ?? []
    throw new Error(`${url}: ${why} (${code})`)
  }
  const signal = AbortSignal.timeout(ANSWER_WITHIN_MS)
  const reply = await fetch(url, { ...init, signal }).catch(failed)
  const text = await readBody(reply).catch(failed)
  if (text === undefined) throw new Error(`${url} answers with more than ${MOST_BYTES / 2 ** 20} MB: it is no record`)
  const body = parseJson(text)
  if (!isPlain(body)) throw new Error(`${url} answers JSON that is nested deeper than any record, or has numbers beyond all bounds`)
  if (reply.status === 404) throw new Error(`${url} answers 404: no record is kept there; name the base address of a Tollbook service`)
  if (!reply.ok) throw new Error(`${url} answers ${reply.status}: ${body?.detail ? shown(body.detail, 200) : 'try again later, or check the address'}`)
  if (body === undefined) throw new Error(`${url} answers ${/^\s*</.test(text) ? 'a web page' : 'text'}, not JSON: name the base address of a Tollbook service`)
  return body
}
/** Undefined where it is too long, as it is after unpacking. */
async function readBody({ body }: Response): Promise<string | undefined> {
  const parts: Uint8Array[] = []
  let length = 0
  for await (const part of body ?? []) {
    length += part.length
    if (length > MOST_BYTES) return undefined
    parts.push(part)
  }
  return new TextDecoder().decode(Buffer.concat(parts))
}
/** JSON has no infinite numbers, but 1e999 is read as one. */
function isPlain(value: Sent, depth = MOST_DEPTH): boolean {
  if (!isObject(value)) return typeof value !== 'number' || Number.isFinite(value)
  return depth > 0 && Object.values(value).every((part) => isPlain(part, depth - 1))
}
function parseJson(text: string): Sent {
  try { return JSON.parse(text) } catch { return undefined }
}

/** Far enough that the rest can look at it: the figures first, then pages of the record. */
function isReply(body: Sent, nth: number): boolean {
  const isPage = Array.isArray(body?.entries) && Array.isArray(body.heads) && Array.isArray(body.anchors) && body.totals && 'head' in body
  if (!isPlain(body)) return false
  return nth === 0 ? Boolean(body?.overall && Array.isArray(body.coins)) : Boolean(isPage)
}

/** Page by page over HTTP; `--export` makes a file of it, which appears once it is whole. */
async function* fetchReplies(base: string, file?: string): AsyncGenerator<Sent> {
  for (let [path, from, nth]: [string, number | null, number] = ['/record/calibration', -1, 0]; from !== null; path = `/record?from=${from}&limit=1000`) {
    const url = base.replace(/\/$/, '') + path
    const body = await ask(url)
    if (!isReply(body, nth)) throw new Error(`${url} answers JSON that is no record: name the base address of a Tollbook service`)
    if (file) writeFileSync(`${file}.part`, `${JSON.stringify(body)}\n`, { flag: nth ? 'a' : 'w' })
    if (process.stderr.isTTY) process.stderr.write(`\r${shown(body.next ?? body.tree_size ?? body.head?.tree_size, 12)} leaves `)
    const [got, due] = [body.entries?.length, Number(from) + body.entries?.length]
    const isGoingOn = got > 0 && body.next === due && nth < MOST_PAGES
    if (nth > 0 && body.next !== null && !isGoingOn) throw new Error(`${url}: next is ${shown(body.next)} after ${got} entries: expected ${due}, or null at the end; no record has more than ${MOST_PAGES} pages`)
    from = nth++ === 0 ? 0 : body.next
    yield body
  }
  if (file) renameSync(`${file}.part`, file)
}

/** Lines that end with a line feed only: others may stand in JSON. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let parts: string[] = []
  let length = 0
  for await (const chunk of createReadStream(file, { fd: openSync(file, 'r'), encoding: 'utf8' })) {
    const [first = '', ...more] = String(chunk).split('\n')
    parts.push(first)
    length += first.length
    if (length > MOST_BYTES) throw new Error(`${file} has a line of more than ${MOST_BYTES / 2 ** 20} MB: it is not a file that --export wrote`)
    for (const next of more) {
      yield parts.join('')
      ;[parts, length] = [[next], next.length]
    }
  }
  if (length > 0) yield parts.join('')
}

async function* readReplies(file: string): AsyncGenerator<Sent> {
  const isThere = statSync(file, { throwIfNoEntry: false })
  if (!isThere) throw new Error(`there is no file ${file}: name one that --export wrote, or an address that begins with http:// or https://`)
  if (isThere.isDirectory()) throw new Error(`${file} is a directory: name a file in it that --export wrote`)
  let [nth, body]: Sent[] = [0]
  for await (const line of linesOf(file)) {
    body = parseJson(line)
    if (body === undefined && nth > 0) throw new Error(`${file} is cut off or damaged in line ${nth + 1}: export the record again`)
    if (!isReply(body, nth)) throw new Error(`${file} is not a file that --export wrote: line ${nth + 1} is something else`)
    if (++nth) yield body
  }
  if (nth < 2 || body.next !== null) throw new Error(`${file} is ${nth === 0 ? 'empty' : `cut off after line ${nth}`}: export the record again`)
}

/** Asks a node whether each anchor holds its root. Returns why they could not be checked. */
async function checkAnchors(rpcUrl: string, anchors: Sent[], untrue: string[]): Promise<string | undefined> {
  const call = async (method: string, ...params: string[]) => {
    const { result, error } = await ask(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }) })
    if (error || result === undefined) throw new Error(`${rpcUrl} answers ${method} with ${error ? shown(error.message ?? error) : 'no result'}: name a node of the chain`)
    return result
  }
  try {
    const chain = `eip155:${Number(await call('eth_chainId'))}`
    const other = anchors.find(({ network }) => network !== chain)
    if (other) return `${rpcUrl} is a node of ${chain}, and there are anchors on ${shown(other.network)}`
    for (const { tree_size, root_hash, tx } of anchors) {
      const data = `0x${Buffer.from('tollbook').toString('hex')}${tree_size.toString(16).padStart(16, '0')}${root_hash}`
      const isTx = /^0x[0-9a-f]{64}$/.test(tx)
      const [found, receipt] = isTx ? [await call('eth_getTransactionByHash', tx), await call('eth_getTransactionReceipt', tx)] : []
      if (found?.input !== data || receipt?.status !== '0x1') untrue.push(`anchor: ${shown(tx)} does not hold the root of ${tree_size} leaves, says the node at ${new URL(rpcUrl).host}`)
    }
  } catch (error) { return (error as Error).message }
}

type Options = { source: string; head?: string; 'save-head'?: string; export?: string; rpc?: string; at?: string; json?: boolean; help?: boolean }

/** What the check comes to: `unchecked` is what the asker could have had checked, `notes` is what nobody can. */
function judge(found: Awaited<ReturnType<typeof checkRecord>>, options: Options, saved: Sent, nowMs: number | undefined, whyNoAnchors: string | undefined) {
  const { size, heads, unstated, head, mode, anchors, changes, figures } = found
  const [proven, unchecked, notes]: [string[], string[], string[]] = [[], [...found.unchecked], []]
  if (size === 0 && found.untrue.length === 0) return { code: INCOMPLETE, of: 'an empty record', verdict: 'nothing was checked: an empty record', proven, unchecked: ['anything: there are no leaves yet; the first come seconds before a window opens'], notes, head }
  proven.push(`its ${size} leaves are complete, in order and unchanged under ${heads} signed heads; every window was committed to before it opened, by the clock of the record, or is entered as missed`)
  if (figures.entries === 0) unchecked.push('any prediction: no window is entered yet')
  else proven.push(`every prediction is the one that was committed; outcomes${found.unchecked.length ? '' : ' and figures'} follow from the prices that the record states`)
  if (found.figuresSize < size) notes.push(`/record/calibration has the figures of the first ${found.figuresSize} of ${size} leaves`)
  if (unstated === heads) unchecked.push('of which mode it is: no head states it')
  else if (unstated > 0) notes.push(`mode not stated in ${unstated} heads of an earlier release`)
  for (const { changed_at, tree_size, reason, old_key_id, new_key_id } of changes) {
    const [what, isKnown] = [`leaf ${shown(tree_size)}, ${shown(changed_at)}: ${shown(old_key_id)} to ${shown(new_key_id)}`, saved && saved.tree_size > tree_size]
    if (reason === 'rotated') proven.push(`the key was replaced with the old key's word, ${what}`)
    else (isKnown ? notes : unchecked).push(`key replaced without the old key's word, ${what}${isKnown ? '; you saved a head after it' : ': whoever held the ledger could have done that'}`)
  }
  if (saved) proven.push(`it continues the head of ${saved.tree_size} leaves that you saved`)
  const isAnchored = anchors.length > 0 && options.rpc && !whyNoAnchors
  if (isAnchored) proven.push(`${count(anchors.length, 'anchor')} on the chain, as the node at ${new URL(options.rpc ?? '').host} says; whoever runs that node is believed`)
  else if (anchors.length > 0) unchecked.push(`its ${count(anchors.length, 'anchor')}: ${whyNoAnchors ?? 'name a node of their chain with --rpc'}`)
  else notes.push('there are no anchors: nothing on a chain shows when the leaves were written')
  if (!saved) (isAnchored ? notes : unchecked).push(`that it is the record which others saw: no head that you saved was given with --head${isAnchored ? '; up to the newest anchor the chain shows it' : ''}`)
  if (nowMs === undefined) unchecked.push('whether it goes on until now: a file has no now, give the time with --at')
  else if (figures.entries > 0) proven.push(`it goes on until now, ${new Date(nowMs).toISOString()} by ${options.at ? 'the time given with --at' : 'the clock of this machine'}`)
  const of = `a record ${mode === undefined ? 'that does not state its mode' : `of ${isMode(mode) ? MODES[mode] : 'no mode that is known'}`}`
  const code = found.untrue.length ? UNTRUE : unchecked.length ? INCOMPLETE : TRUE
  const words = { [TRUE]: `true: ${of}`, [UNTRUE]: `UNTRUE in ${found.untrue.length} places: ${of}`, [INCOMPLETE]: `true as far as checked: ${of}; not checked: ${unchecked.length}` }
  return { code, of, verdict: words[code] ?? '', proven: code === UNTRUE ? [] : proven, unchecked, notes, head }
}

const count = (many: number, what: string) => `${many} ${what}${many === 1 ? '' : 's'}`

async function verifyRecord(options: Options): Promise<number> {
  const { source, rpc, at } = options
  const isUrl = /^https?:/i.test(source)
  const saved = options.head ? readHead(options.head) : undefined
  const nowMs = at ? Date.parse(at) : isUrl ? Date.now() : undefined
  const found = await checkRecord(isUrl ? fetchReplies(source, options.export) : readReplies(source), saved, nowMs)
  const { untrue, size, heads, anchors, figures } = found
  const whyNoAnchors = rpc && anchors.length > 0 ? await checkAnchors(rpc, anchors, untrue) : undefined
  const { code, of, verdict, proven, unchecked, notes, head } = judge(found, options, saved, nowMs, whyNoAnchors)
  if (options['save-head'] && head && code !== UNTRUE) writeFileSync(options['save-head'], JSON.stringify(head))
  const named = (name: string, texts: string[]) => texts.slice(0, SHOWN).map((each) => `${name}: ${each}`)
  const table = !head ? [] : Object.entries({ ...figures, bins: figures.bins.length }).map(([name, value]) => `${name.padEnd(16)} ${value}`)
  const facts = head ? `${size} leaves, ${count(heads, 'head')} up to ${shown(head.timestamp, 30)}, ${count(anchors.length, 'anchor')}, key ${shown(head.key_id)}`
    : 'nothing is in it yet: a leaf is written before each five-minute window opens'
  const lists = [...named('proven', proven), ...named('not checked', unchecked), ...named('note', notes), ...named('untrue', untrue)]
  const json = { verdict, exit_code: code, mode: found.mode ?? null, proven, not_checked: unchecked, notes, untrue, leaves: size, heads, head: head ?? null, key_changes: found.changes, anchors, figures }
  const ascii = () => JSON.stringify(json).replace(/[^ -~]/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)
  process.stdout.write(options.json ? `${ascii()}\n` : `${[of, facts, ...table, ...lists, verdict].map((line) => shown(line, 2_000)).join('\n')}\n`)
  return code
}

function readHead(file: string): Sent {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) throw new Error(`there is no file ${file}: name one that --save-head wrote`)
  const head = parseJson(readFileSync(file, 'utf8'))
  if (Number.isSafeInteger(head?.tree_size) && head.tree_size > 0 && head.root_hash && head.key_id && head.signature) return head
  throw new Error(`${file} is not a head that --save-head wrote`)
}

/** Throws what is wrong with the options. */
function readOptions(args: string[]): Options {
  const [text, flag] = [{ type: 'string' }, { type: 'boolean' }] as const
  const options = { head: text, 'save-head': text, export: text, rpc: text, at: text, json: flag, help: { ...flag, short: 'h' } } as const
  const { values, positionals: [source = '', ...more] } = parseArgs({ args, allowPositionals: true, options })
  if (!values.help && (!source || more.length)) throw new Error('name one record to check, by its address or its file')
  if (values.at && Number.isNaN(Date.parse(values.at))) throw new Error(`--at ${values.at} is no time: write it as in 2026-01-05T12:00:00Z`)
  if (values.rpc && !/^https?:/i.test(values.rpc)) throw new Error(`--rpc ${values.rpc} is no address: it begins with http:// or https://`)
  return { ...values, source }
}

export async function run(args: string[]): Promise<void> {
  // Node adds advice for options that are meant as arguments.
  const say = (error: unknown, more = '') => void process.stderr.write(`tollbook: ${(error as Error).message.replace(/\. To specify [\s\S]*/, '')}\n${more}`)
  process.exitCode = UNREADABLE
  let options: Options
  try { options = readOptions(args) } catch (error) { return say(error, `\n${HELP}`) }
  if (options.help) process.exitCode = TRUE
  if (options.help) return void process.stdout.write(HELP)
  try { process.exitCode = await verifyRecord(options) } catch (error) { say(error) }
}
