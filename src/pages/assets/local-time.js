// Adds the visitor's own time to moments, which pages tell in UTC.
import { element } from './element.js'

const whole = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const onlyTime = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' })

function addLocal() {
  for (const moment of document.querySelectorAll('time[data-local]')) {
    const at = new Date(moment.getAttribute('datetime') ?? '')
    if (Number.isNaN(at.getTime()) || at.getTimezoneOffset() === 0) continue
    moment.removeAttribute('data-local')
    const isSameDay = at.getDate() === at.getUTCDate()
    const words = ` (${(isSameDay ? onlyTime : whole).format(at)} here)`
    moment.after(element('span', { class: 'local' }, words))
  }
}

addLocal()
document.addEventListener('refreshed', addLocal)
