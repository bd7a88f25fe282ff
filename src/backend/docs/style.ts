/** The page's only style sheet, inside the page: the policy of the page allows nothing else. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --dim: #57606a; --ground: #ffffff; --pane: #f4f6f8; --line: #d0d7de; --link: #0a58ca; --method: #0b6b3a; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ed; --dim: #a3adb8; --ground: #14171a; --pane: #1e2227; --line: #3a424b; --link: #7cb0ff; --method: #7ad8a3; }
}
* { box-sizing: border-box; }
body { margin: 0; color: var(--ink); background: var(--ground); font: 1rem/1.5 system-ui, sans-serif; }
header, main, nav { max-width: 68rem; margin: 0 auto; padding: 1rem; }
h1 { margin: 0; font-size: 1.7rem; }
h2 { margin: 3rem 0 0.5rem; padding-top: 1rem; border-top: 2px solid var(--line); font-size: 1.4rem; }
h3 { margin: 0; font-size: 1rem; overflow-wrap: anywhere; }
h4 { margin: 1rem 0 0.3rem; font-size: 0.9rem; color: var(--dim); }
p, ul { margin: 0.4rem 0; max-width: 46rem; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
code { font: 0.9em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
article { margin: 1rem 0; padding: 1rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--pane); }
article:target { border-color: var(--link); }
.method { display: inline-block; min-width: 4.5rem; color: var(--method); }
.dim { color: var(--dim); }
.scroll { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.9rem; }
th, td { padding: 0.3rem 0.6rem; text-align: start; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th { color: var(--dim); font-weight: 600; }
tbody th { font-weight: 400; }
summary { cursor: pointer; min-height: 1.5rem; }
nav ul { columns: 18rem; padding-inline-start: 1.2rem; }
`;
