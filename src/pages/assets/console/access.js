import { element } from '../element.js'
import { count } from '../formats.js'
import { badge, fill, tableOf, timeOf } from './draw.js'

export const access = { name: 'access', parts: [{ asks: 'admin.dashboard', draw }] }

const COLUMNS = [
  { head: 'At', of: ({ at }) => timeOf(at) },
  { head: 'Key', of: (row) => row.key_id },
  { head: 'Client', of: ({ client }) => client },
  { head: 'Call', of: ({ method, endpoint }) => [`${method} `, element('code', {}, endpoint)] },
  {
    head: 'Status',
    of: ({ status }) =>
      status === null ? badge('no end', 'warn') : badge(String(status), status < 400 ? 'good' : 'bad'),
  },
  { head: 'Request id', of: (row) => element('code', {}, row.request_id) },
  { head: 'Params', of: ({ params }) => params && element('code', { class: 'long' }, params) },
]

function draw({ audit }) {
  const { dropped, dropped_at: at } = audit
  fill(
    'access-dropped',
    dropped > 0 &&
      element(
        'p',
        {},
        `${count(dropped)} reads and refused calls since the start were too many to be written down, the last at `,
        timeOf(at),
        '.',
      ),
  )
  fill('access-keys', tableOf('Calls with a key', COLUMNS, audit.of_keys, 'No call yet.'))
  fill('access-strangers', tableOf('Calls without a key', COLUMNS, audit.of_strangers, 'Nobody has knocked.'))
}
