/** Those that endpoints offer, and those that only a curious caller sends. */
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY']

/** The address itself, then spellings that some routers or proxies take for it. */
export function spellings(path: string): string[] {
  const [, first = '', ...rest] = path.split('/')
  const tail = rest.length > 0 ? `/${rest.join('/')}` : ''
  return [
    path,
    `${path}?name=x&credential=none`,
    `${path}/`,
    `//${first}${tail}`,
    `/${first}/${tail}`,
    `/./${first}${tail}`,
    `/x/../${first}${tail}`,
    `/${first.toUpperCase()}${tail}`,
    `/%${first.charCodeAt(0).toString(16)}${first.slice(1)}${tail}`,
    `/${first}${tail.replace('/', '%2f')}`,
    `/${first}${tail};x=1`,
    `/${first}${tail}%00`,
    `http://127.0.0.1/${first}${tail}`,
    `/.\\${first}${tail}`,
  ]
}
