/** Words with which the name of a function may begin; `from` as in `fromHex`. */
export const verbs: ReadonlySet<string> = new Set(
  `
  accept accepts account acknowledge act adapt add address admit advance allow allows announce announces
  answer answers append apply are arrive ask asks assemble assign attach attempt audit
  authenticate awaits batch begin begins borrows bound branch break bring brings build by cache
  call can cancel capture carries catch chain challenge change changes check choose claim classify
  clear close collect combine commit compact compare compile complain compose concerns conclude
  connect contains continue copy correct count counts covers create cut date decide decline decode delete
  deliver derive describe detach detect did differs digest discard discover dismiss do does drain draw
  drop edit emit empty encode end ends enqueue ensure enter equals erase escape estimate examine exchange exclude
  execute exists exit expand expect expire explain export extract fail feed fetch fill filter find
  finish fit fits fix flag flush focus fold follow for forbids forget form format forward frame
  free freeze from gate gather generate get give gives go goes greet group guard guess gzip handle
  hands harden has hash hear hears hide hides highlight hint hold holds identify ignore import
  indent index indexes inflate inline insert invert invite is isolate issue join judge jump keep kill knows
  label lacks lapse lasts leads learn leave leaves let limit link lint list listen listens load
  locate lock log look looks lose loses make manage map mark match matches may means measure melt
  memoize mentions merge migrate miss mix mount move name narrow needs negotiate nest normalise
  normalize note notify observe offer omit on open operate order orders pack pad paint parse pass
  passes paste patch pause permit permits persist persists pick place plan play poll post postpone
  preload prepare prepend preview print probe promises protect prune publish push put queue quote
  raise rank reach read reads recognize recognizes record redact refresh refuse refuses register
  reject relay release remember remove render renew reopen repeat repeats replace replaces reply
  report request require reread resend reserve reset resolve restart restore resume rethrow retry
  return returns review revise revoke rewrite rewrites roll rollback round route run sanitize save
  say says scale scan schedule scroll seal search segment select send sends separate serve serves
  set settle shake shape share shares shorten should show shows sign signal silence simplify skip
  skips sleep solve sort sounds spare speak speaks spell spells splice split stamp stands start
  starts stay stays step stop store stream strip submit substitute sum suppose survey swap sweep
  tag take takes tell tells test throw tie to toggle tokenize touch track train translate trigger
  trim trust try tunnel tunnels turn turns understand undo unmount unpack until unzip upload use
  uses validate verify view visit wait wake walk wants warn was watch weigh were will with
  withdraw without wrap write writes
`
    .trim()
    .split(/\s+/),
);
