// Words that a text about facts may use although no fact does. Whoever adds one asks what a liar could say with it: no
// names, no forecasts, no totals, nobody who vouches, and nothing for the reader to do.

const FUNCTION_WORDS = `
  a an the this that these those it its they their them there here which who what whether where when while
  and or but nor neither either both so yet as than then because since although though however despite
  of in on at to by for from with without within into out over under above below between among across per
  up down off against about around near beyond after before during until through besides
  is are was were be been being has have had do does did can could cannot not no only also too very more most
  less least much many few little some any all every each other others another same such own enough just even
  still already now again far well together alone mainly mostly partly almost nearly roughly approximately
  if unless rather quite otherwise instead overall further thus therefore hence largely slightly sharply somewhat
  one two three four five six seven eight nine ten first second third last
  percent thousand million billion trillion dollar usd fdv`

const THINGS = `
  token contract pool market price value capitalization cap liquidity volume trade trading tradable buy bought
  sell sold sale selling purchase buyer seller trader holder hold held own owned owner ownership supply circulation
  circulating diluted share part rest amount number figure level rate rating score verdict risk danger concern
  problem weakness strength sign reason check data source known unknown missing gap unclear uncertain
  confidence tax taxed untaxed taxation fee cost lock burn burnt renounce mint mintable honeypot trap proxy code
  function power control creator balance transfer exit restriction limit limitation concentration distribution
  turnover activity factor flag position profile picture assessment analysis diagnosis result ratio wallet address
  deployer privilege mechanism feature chain period top hour day time age hand test simulation side majority component evidence fact finding`

const DOINGS = `
  show say said tell told state mean suggest indicate point find found see look appear seem remain stay keep kept
  leave left make made take took taken give given come came put set rely depend decide judge weigh speak
  rise rose risen fall fell fallen drop gain lose lost climb decline increase decrease change move
  stop block freeze restrict prevent allow permit enable disable replace hide hidden remove withdraw concentrate
  distribute spread exceed reach combine compare measure answer ask agree disagree dispute exist trade
  slip identify detect receive outweigh offset reflect drive determine lack confirm note cover stand stood carry include contain publish verify avoid pause raise write written`

const QUALITIES = `
  low lower lowest high higher highest medium critical large larger largest small smaller smallest big bigger
  biggest thin deep shallow wide narrow heavy light strong weak modest moderate minor major main key notable
  considerable substantial significant short long young old established new recent worst decisive unchanged flat mixed clean bad good poor
  safe sound ready clear normal usual unusual ordinary caution careful care free freely unlocked fixed capped
  final constant zero able unable possible impossible closed open single sole total whole entire available
  unavailable absent present active easy easily hard difficult full fully partial incomplete sufficient insufficient
  daily current severe serious healthy liquid illiquid primary relative versus red positive negative similar equal
  highly extremely relatively back away nothing something everything`

export const PLAIN_WORDS: readonly string[] = [FUNCTION_WORDS, THINGS, DOINGS, QUALITIES].flatMap(
  (words) => words.match(/[a-z]+/g) ?? [],
)
