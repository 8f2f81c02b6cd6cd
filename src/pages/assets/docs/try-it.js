// Calls an endpoint from its place in the docs. What is paid takes a free call first.
import { createAlone } from '../alone.js'
import { showFolded, showReply } from '../pay/reply-box.js'
import { parseObject, problemOf } from '../problem.js'
import { createSay } from '../say.js'
import { waysToPay } from './try-pay.js'

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll('.try form'))) {
  // What is asked again while a payment is under way could be paid for twice.
  const alone = createAlone(() => form.querySelectorAll('button:not(.copy)'))
  form.removeAttribute('hidden')
  // What can be paid for now is what was asked for, not what the fields say since.
  form.addEventListener('input', () => withdrawOffer(form))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    alone(() => call(form, alone))
  })
}

async function call(form, alone) {
  say(form, 'Asking…')
  withdrawOffer(form)
  try {
    const { method } = form.dataset
    const address = addressOf(form)
    const body = form.querySelector('[data-in=body]')?.value
    const reply = await fetch(address, {
      method,
      headers: {
        Accept: 'application/json',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    })
    await show(form, reply, { address, alone })
  } catch {
    say(form, 'The service did not answer. Look whether you are online, then try again.', 'bad')
  }
}

function addressOf(form) {
  const query = new URLSearchParams()
  let filled = form.dataset.path
  for (const input of form.querySelectorAll('input[data-in], select[data-in]')) {
    if (input.dataset.in === 'path')
      filled = filled.replace(`{${input.name}}`, encodeURIComponent(input.value))
    else if (input.value !== '') query.set(input.name, input.value)
  }
  return query.size > 0 ? `${filled}?${query}` : filled
}

async function show(form, reply, asked) {
  const text = await reply.text()
  const left = reply.headers.get('X-Demo-Calls-Remaining')
  tellFreeCalls(form, reply.status === 402 ? '0' : left)
  const box = form.querySelector('.reply')
  if (reply.status === 402) {
    const { error } = parseObject(text)
    say(
      form,
      `402: Payment required. ${error === 'payment_required' ? form.dataset.unpaid : ''}`.trim(),
      'calm',
    )
    offerToPay(form, reply, asked)
    return showFolded(box, 'The 402 as JSON', text)
  }
  const free = reply.ok && left !== null ? ` A free call was used, ${left} left today.` : ''
  if (reply.ok) say(form, `${reply.status} OK.${free}`, 'good')
  else say(form, `${reply.status}: ${problemOf(reply.status, parseObject(text))}`, 'bad')
  showReply(box, { text, title: reply.ok ? undefined : 'What the service answered' })
}

/** The button says what the next call costs. @param {HTMLFormElement} form @param {string | null} left */
function tellFreeCalls(form, left) {
  const { price } = form.dataset
  if (price === undefined || left === null) return
  form.querySelector('button[type=submit]').textContent =
    left === '0'
      ? `Call it (${price})`
      : `Call it (free, ${left} free ${left === '1' ? 'call' : 'calls'} left today)`
}

/** @param {HTMLFormElement} form */
function withdrawOffer(form) {
  const place = /** @type {HTMLElement} */ (form.querySelector('.paying'))
  place.hidden = true
  place.replaceChildren()
}

function offerToPay(form, reply, asked) {
  // The fields were changed while the answer was under way.
  if (addressOf(form) !== asked.address) return
  const place = form.querySelector('.paying')
  place.hidden = false
  const call = {
    ...asked,
    playPath: form.dataset.play,
    say: (text, tone) => say(form, text, tone),
    note: (text) => {
      form.querySelector('.progress').textContent = text
    },
    show: (paid) => {
      withdrawOffer(form)
      showReply(form.querySelector('.reply'), { ...paid, receipts: form.dataset.receipts })
    },
  }
  place.replaceChildren(...waysToPay(reply, call))
}

const say = (form, text, tone = '') => createSay(form.querySelector('.called'))(text, tone)
