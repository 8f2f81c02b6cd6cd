import ipaddr from 'ipaddr.js'

// Who owns `a.b.com` owns `c.b.com`. The public list of suffixes has ten thousand lines and changes every week; these few
// are the ones below which sellers of different owners were seen or are likely. Below any other the last two labels count.

const words = (text: string): string[] => text.trim().split(/\s+/)

/** Countries that sell names below a second label. */
const SECOND_LEVEL: ReadonlySet<string> = new Set(
  words('co com org net ac gov edu ne or go').flatMap((second) =>
    words('uk au nz jp kr in br za cn tw hk sg my id th tr mx ar il ua vn ph').map(
      (top) => `${second}.${top}`,
    ),
  ),
)
/** Hosts that give names to anybody: each name is somebody's own. */
const HOSTING: ReadonlySet<string> = new Set(
  words(`
    vercel.app now.sh netlify.app workers.dev pages.dev github.io gitlab.io fly.dev fly.io onrender.com herokuapp.com
    railway.app up.railway.app web.app firebaseapp.com run.app a.run.app appspot.com azurewebsites.net azurefd.net
    cloudfront.net amplifyapp.com ngrok.app ngrok.dev ngrok.io ngrok-free.app ngrok-free.dev trycloudflare.com replit.app
    replit.dev repl.co deno.dev deno.net supabase.co hf.space streamlit.app glitch.me surge.sh modal.run val.run
    lovable.app bolt.host koyeb.app deta.app ondigitalocean.app render.com kinsta.app zeabur.app sevalla.app loca.lt`),
)
const MOST_SUFFIX_LABELS = 3

/** The part of a host that one owner has: `b.co.uk` of `a.b.co.uk`. An address in numbers is itself. */
export function siteOf(host: string): string {
  const name = host.replace(/:\d+$/, '').replace(/\.$/, '')
  if (ipaddr.isValid(name.replace(/^\[|\]$/g, ''))) return name
  const labels = name.split('.')
  for (let count = MOST_SUFFIX_LABELS; count > 1; count--) {
    const suffix = labels.slice(-count).join('.')
    if (HOSTING.has(suffix) || SECOND_LEVEL.has(suffix)) return labels.slice(-count - 1).join('.')
  }
  return labels.slice(-2).join('.')
}
