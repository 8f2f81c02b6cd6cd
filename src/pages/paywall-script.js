// Runs in the buyer's browser, inside the page of paywall.ts. It pays with an injected wallet (EIP-1193), as x402 v2
// wants it, or with play money by a wallet that the service makes. Its one rule: while the outcome of a signed payment is unknown, only that payment is presented, never a
// second one. Lines that begin with a comment are not sent.

const CHAIN_ID = 8453
// As the stock clients do: a clock that runs ahead must not make a payment that is not valid yet.
const BACKDATED_S = 600
// The service answers within some 12 s; proxies may take longer before they give up.
const FETCH_LIMIT_MS = 60_000
const TRIES_LIMIT = 40
const WAIT_S = 3
const WAIT_LIMIT_S = 60
const WALLETS_LIMIT = 20
const MESSAGE_LIMIT = 200

const byId = (id) => document.getElementById(id)
const payButton = byId('pay')
const playButton = byId('play')
const { required, receipts } = JSON.parse(byId('terms').textContent)
const terms = required.accepts.find(({ network }) => network === `eip155:${CHAIN_ID}`)
const address = location.href.split('#')[0]

// The undecided payment, kept over a reload. Where storage is switched off, memory has to do.
const storeKey = `x402 ${required.resource.url}`
let undecided
try {
  undecided = sessionStorage.getItem(storeKey) ?? undefined
} catch {}

function keep(header) {
  undecided = header
  try {
    if (header) sessionStorage.setItem(storeKey, header)
    else sessionStorage.removeItem(storeKey)
  } catch {}
}

// Everything from outside goes through textContent.
function say(text, tone = 'busy') {
  byId('status').textContent = text
  byId('status').dataset.tone = tone
}

const wallets = new Map()

addEventListener('eip6963:announceProvider', ({ detail }) => {
  if (wallets.size >= WALLETS_LIMIT || wallets.has(detail.info.uuid)) return
  wallets.set(detail.info.uuid, detail.provider)
  byId('wallets').add(new Option(detail.info.name, detail.info.uuid))
  byId('choice').hidden = wallets.size < 2
})

function chosenWallet() {
  const wallet = wallets.get(byId('wallets').value) ?? window.ethereum
  if (!wallet) throw new Error('No wallet was found in this browser. Install one, or use another way below.')
  return wallet
}

async function sign() {
  const wallet = chosenWallet()
  say('Choose an account in your wallet.')
  const [from] = await wallet.request({ method: 'eth_requestAccounts' })
  await useChain(wallet)
  const nowS = Math.floor(Date.now() / 1000)
  const authorization = {
    from,
    to: terms.payTo,
    value: terms.amount,
    validAfter: String(nowS - BACKDATED_S),
    validBefore: String(nowS + terms.maxTimeoutSeconds),
    nonce: hex(crypto.getRandomValues(new Uint8Array(32))),
  }
  say('Sign the payment in your wallet.')
  const params = [from, JSON.stringify(typedData(authorization))]
  const signature = await wallet.request({ method: 'eth_signTypedData_v4', params })
  const { x402Version, resource, extensions } = required
  const payload = { signature: withRecoveryByte(signature), authorization }
  return toHeader({ x402Version, resource, accepted: terms, payload, extensions })
}

// Play money: the service makes a wallet, which signs and is forgotten.
async function signByService() {
  say('A throw-away wallet is made and signs…')
  const reply = await fetch(playButton.dataset.path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ payment_required: toHeader(required) }),
    signal: AbortSignal.timeout(FETCH_LIMIT_MS),
  })
  const { payment_signature: header, detail } = parsed(await reply.text())
  if (!header) throw new Error(`${detail ?? `The service answered ${reply.status}`}.`)
  return header
}

async function useChain(wallet) {
  if (Number(await wallet.request({ method: 'eth_chainId' })) === CHAIN_ID) return
  say('Let your wallet switch to Base.')
  const params = [{ chainId: `0x${CHAIN_ID.toString(16)}` }]
  await wallet.request({ method: 'wallet_switchEthereumChain', params })
}

function typedData(message) {
  const fields = (text) =>
    text.split(', ').map((field) => ({ type: field.split(' ')[0], name: field.split(' ')[1] }))
  const { name, version } = terms.extra
  return {
    types: {
      EIP712Domain: fields('string name, string version, uint256 chainId, address verifyingContract'),
      TransferWithAuthorization: fields(
        'address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce',
      ),
    },
    primaryType: 'TransferWithAuthorization',
    domain: { name, version, chainId: CHAIN_ID, verifyingContract: terms.asset },
    message,
  }
}

// Some hardware wallets end a signature in 0 or 1, the chain wants 27 or 28. Longer ones are a smart wallet's own.
function withRecoveryByte(signature) {
  return signature.replace(/^(0x.{128})0([01])$/, (_, bare, bit) => bare + (bit === '1' ? '1c' : '1b'))
}

// Standard base64 of UTF-8, which `btoa` does not make by itself.
function toHeader(json) {
  const bytes = new TextEncoder().encode(JSON.stringify(json))
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

const hex = (bytes) => `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`

async function present(header) {
  keep(header)
  for (let tries = 1; tries <= TRIES_LIMIT; tries++) {
    say('Paying, and fetching your reply…')
    const answer = await ask(header)
    if (decides(answer)) return
    const { problem, waitS } = answer
    say(`${problem}. The same payment is sent again in ${waitS} s; you are charged once at most.`)
    await new Promise((resume) => setTimeout(resume, waitS * 1000))
  }
  say('Still undecided. This tab keeps your payment: try again to send the same one.', 'bad')
}

// A body that breaks off is as undecided as no answer at all.
async function ask(header) {
  try {
    const reply = await fetch(address, {
      headers: { Accept: 'application/json', 'PAYMENT-SIGNATURE': header },
      cache: 'no-store',
      signal: AbortSignal.timeout(FETCH_LIMIT_MS),
    })
    const { status, headers } = reply
    const json = parsed(await reply.text())
    const waitS = Math.min(Math.max(Number(headers.get('Retry-After')) || WAIT_S, 1), WAIT_LIMIT_S)
    const problem = json.title ?? `The service answered ${status}`
    return { status, json, settlement: headers.get('PAYMENT-RESPONSE'), problem, waitS }
  } catch {
    return { problem: 'The connection was lost', waitS: WAIT_S }
  }
}

function parsed(text) {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

// Only three answers decide about a payment. A 200 without settlement is somebody else's, such as a hotel's login page;
// a 402 that asks for a payment has not seen ours, which may still be under way.
function decides({ status, json, settlement }) {
  const isPaid = status === 200 && settlement
  const isRefused = status === 402 && json.error && json.error !== 'payment_required'
  const isUsed = status === 409 && json.code === 'payment_already_used'
  if (!isPaid && !isRefused && !isUsed) return false
  keep(undefined)
  if (isPaid) show(json, settlement)
  else if (isUsed) say(`${json.title}. You can pay anew.`, 'bad')
  else say(`Refused and not charged: ${String(json.error).replaceAll('_', ' ')}. You can pay anew.`, 'bad')
  return true
}

function show(json, settlement) {
  byId('reply').textContent = JSON.stringify(json, null, 2)
  const { transaction, extensions } = decoded(settlement)
  byId('transaction').textContent = transaction
  byId('settled').hidden = !transaction
  showReceipt(extensions?.['offer-receipt']?.info?.receipt?.signature)
  byId('result').hidden = false
  say('Paid. Here is your reply.', 'good')
  byId('result-title').focus()
}

// What it names is plain ASCII, whatever else stands in it.
function decoded(text) {
  try {
    return parsed(atob(text))
  } catch {
    return {}
  }
}

// The receipt is a JWS; its payload names the purchase, and that is where it can be seen again.
function showReceipt(jws = '') {
  const { id } = decoded(jws.split('.')[1]?.replaceAll('-', '+').replaceAll('_', '/'))
  byId('receipt').hidden = !id || !receipts
  if (id && receipts) byId('receipt').href = receipts.replace('{id}', encodeURIComponent(id))
}

// Codes of EIP-1193 and of JSON-RPC, as wallets use them.
const WALLET_ERRORS = {
  4001: 'You declined in your wallet.',
  4902: 'Your wallet does not know Base (chain 8453): add it there, then try again.',
  '-32002': 'Your wallet still waits for an answer: open it.',
}

// Whatever stops us before there is a signature.
async function signed(how) {
  try {
    return await how()
  } catch (error) {
    const { code, message } = Object(error)
    const text = WALLET_ERRORS[code] ?? String(message ?? 'The wallet failed.').slice(0, MESSAGE_LIMIT)
    say(`${text} Nothing was charged.`, 'calm')
  }
}

// aria-disabled, not disabled: a button that is switched off loses the keyboard's focus.
const buttons = [playButton, payButton].filter(Boolean)
const labels = new Map(buttons.map((button) => [button, button.textContent]))

function setBusy(isBusy) {
  for (const button of buttons) {
    button.ariaDisabled = String(isBusy)
    button.textContent = undecided && !isBusy ? 'Try again' : labels.get(button)
    button.hidden = Boolean(undecided) && !isBusy && button !== buttons[0]
  }
}

async function pay(how) {
  if (buttons[0].ariaDisabled === 'true') return
  setBusy(true)
  const header = undecided ?? (await signed(how))
  if (header) await present(header)
  setBusy(false)
}

async function copy() {
  try {
    await navigator.clipboard.writeText(byId('reply').textContent)
    say('Copied.', 'good')
  } catch {
    // Pages without TLS have no clipboard.
    getSelection().selectAllChildren(byId('reply'))
    say('Selected: copy it with your keyboard.', 'calm')
  }
}

payButton?.addEventListener('click', () => pay(sign))
playButton?.addEventListener('click', () => pay(signByService))
byId('copy').addEventListener('click', copy)
byId('controls').hidden = false
byId('plain').hidden = true
dispatchEvent(new Event('eip6963:requestProvider'))
if (undecided) pay(sign)
