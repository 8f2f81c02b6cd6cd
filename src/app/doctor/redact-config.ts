import type { Config } from '../../config/config.ts'
import { redactorOf } from '../../upstreams/polymarket/redactor.ts'

/** Takes out whatever of the configuration must not be shown: others repeat what they were sent. */
export function redactConfig({ secrets }: Pick<Config, 'secrets'>): (text: string) => string {
  const hidden = secrets.flatMap((secret) => partsOf(secret.reveal()))
  return redactorOf(() => hidden)
}

function partsOf(text: string): string[] {
  const urls = text.split(',').map((part) => URL.parse(part.trim()))
  if (urls.some((url) => url === null || url.host === '')) return [text, text.replace(/^0x/, '')]
  return urls.flatMap((url) => (url ? hiddenIn(url) : []))
}

/** Keys of providers stand in paths and queries of their addresses; the path of a database is its name. */
function hiddenIn({ protocol, pathname, searchParams, password }: URL): string[] {
  const own = [password, decode(password), ...searchParams.values()]
  return /^(http|ws)s?:$/.test(protocol) ? [...own, ...pathname.split('/')] : own
}

/** What is no encoding stands for itself. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
