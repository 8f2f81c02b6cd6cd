// Keeps the preview on the home page current. The reply is public and delayed.
import { sentence } from '../problem.js'
import { previewOf } from './preview-words.js'

const EVERY_MS = 60_000
const byId = (id) => document.getElementById(id)
const card = document.querySelector('[data-source]')

async function show() {
  if (document.hidden) return
  try {
    const reply = await fetch(card.getAttribute('data-source'), { headers: { Accept: 'application/json' } })
    const { signals, note } = await reply.json()
    const btc = signals?.find(({ coin }) => coin === 'BTC')
    if (btc) fill(previewOf(btc))
    else if (note) byId('preview-note').textContent = sentence(note)
  } catch {
    // What stands there is older than a minute; it says of when it is.
  }
}

function fill({ tone, record, price, ...words }) {
  for (const [name, text] of Object.entries(words)) byId(`preview-${name}`).textContent = text
  byId('preview-direction').className = tone
  byId('preview-price').textContent = price
  for (const part of [byId('preview-price-name'), byId('preview-price')]) part.hidden = price === undefined
  byId('preview-record').setAttribute('href', record)
  byId('preview-note').hidden = true
  byId('preview').hidden = false
}

if (card) {
  show()
  setInterval(show, EVERY_MS)
  document.addEventListener('visibilitychange', show)
}
