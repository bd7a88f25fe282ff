import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { ADMIN, PAUL, VERA } from "../../../gateway/console/console.ts";
import { axe, picture } from "../chromium.ts";
import { serveDemo } from "../demo.ts";
import { openConsoleAt } from "./console-page.ts";

const SHEET =
  'question,answer,alternatives\nQuand ouvrez-vous ?,À **neuf** heures.,Vos horaires ?\nOù êtes-vous ?,"12, rue du Moulin",\n';
/** Rows 1 to 62 of a sheet: a cell of two lines, empty rows, one without an answer, one twice. */
const SHOP_ROWS: readonly string[] = [
  "Question;Réponse;Rubrique",
  "Où est ma commande ?;Dans votre compte, sous « Mes commandes ».;Commandes",
  'Comment vous joindre ?;"Par e-mail.\nOu par téléphone ; du lundi au vendredi.";Contact',
  ";;",
  "Combien coûte l'envoi ?;4,90 €, gratuit dès 50 €.;Livraison",
  "",
  "Avez-vous un magasin ?;Oui, à Lyon.;Contact",
  ";;",
  "Livrez-vous à l'étranger ?;;Livraison",
  "Où est ma commande ?;Demandez-nous.;Commandes",
  ...Array.from({ length: 46 }, (_, at) => `Question n° ${at + 1} ?;Réponse à ${at + 1} €.;Divers`),
  "",
];
/** A bot of Rasa with two contents, another wording, and three things that no content has. */
const BOT = `nlu:
- intent: hours
  examples: |
    - when do you open
- intent: address
  examples: |
    - where are you
slots: { city: { type: text }, day: { type: text } }
forms: { booking: {} }
responses:
  utter_hours: [{ text: At nine. }, { text: "From nine." }]
  utter_address: [{ text: Mill Lane }]
`;
const EVE = "token-of-eve-1234567890";

/** A gateway in front of the embedded backend, and the folder of its configuration. */
async function started() {
  const tokens = `paul:publish:${PAUL},vera:view:${VERA},eve:edit:fr:${EVE}`;
  const env = { AFTERWORD_ADMIN_TOKEN: ADMIN, AFTERWORD_ADMIN_TOKENS: tokens };
  const { url, config } = await serveDemo(env);
  const ask = async (token: string, json: object) => {
    const response = await fetch(`${url}/_afterword/api/contents/import`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify(json),
    });
    return { status: response.status, body: await response.json() };
  };
  return { url, backend: join(dirname(config), "backend"), ask };
}

const sheet = (name = "faq.csv") => ({
  name,
  mimeType: "text/csv",
  buffer: Buffer.from(SHEET),
});

describe("the console, for who brings contents along,", () => {
  it("shows what a sheet would become, and writes it by keyboard alone", async () => {
    const { url, backend } = await started();
    const page = await openConsoleAt(url, `#${ADMIN}`);
    await page.getByRole("link", { name: "Contents", exact: true }).click();
    await page.getByRole("link", { name: "Bring contents along" }).focus();
    await page.keyboard.press("Enter");
    const field = page.getByLabel("Choose a file, or drop it here");
    await field.setInputFiles(sheet());
    const languages = page.getByLabel("The file does not say which language it is in.");
    await languages.focus();
    await languages.selectOption("fr");
    await page.getByText("Contents: 2. Ways to ask for them: 3.").waitFor();
    await page.locator("blockquote b").getByText("neuf").waitFor();
    await page.getByText("Also asked as Vos horaires ?", { exact: true }).waitFor();
    expect(await readdir(backend)).not.toContain("faq.fr.yaml");
    expect(await axe(page)).toEqual([]);
    await picture(page, "console-import");
    await page.getByRole("button", { name: "Bring these contents along" }).focus();
    await page.keyboard.press("Enter");
    await page.getByText("Written: backend/faq.fr.yaml. The bot answers").waitFor();
    expect(await readFile(join(backend, "faq.fr.yaml"), "utf8")).toContain("Quand ouvrez-vous ?");
    // Importing the same file again adds nothing.
    await field.setInputFiles(sheet());
    await languages.selectOption("fr");
    await page.getByText("There is nothing to publish.").waitFor();
    await page.getByText("What does not come along as it is: 2").click();
    const twice = page.locator(".left li", { hasText: "with the same answer. (2)" });
    await twice.waitFor();
    expect(await page.getByRole("button", { name: "Bring these contents along" }).count()).toBe(0);
    // A longer file is added beside it: the owner's files are not overwritten.
    const longer = SHEET.replace("neuf", "dix") + "Livrez-vous ?,Oui.,\n";
    await field.setInputFiles({ ...sheet(), buffer: Buffer.from(longer) });
    await languages.selectOption("fr");
    await page.getByText("Becomes the file backend/faq-2.fr.yaml.").waitFor();
    await page.getByText("Contents: 1. Ways to ask for them: 1.").waitFor();
    await page.getByText("What does not come along as it is: 2").click();
    await page.getByText("with another answer. That answer stays.").waitFor();
    await field.setInputFiles({ ...sheet("notes.txt"), buffer: Buffer.from("Dear diary") });
    await page.getByText("no questions and answers in this file").waitFor();
  });

  it("takes a shop's sheet as Excel writes it, and names row and column of what is wrong in it", async () => {
    const { url, backend } = await started();
    const page = await openConsoleAt(url, `#${ADMIN}`, { locale: "fr" });
    await page.locator(".sentences").waitFor();
    await page.evaluate(() => (location.hash = "#/import"));
    const field = page.locator(".drop input");
    const file = (rows: readonly string[]) => ({
      name: "Questions boutique.csv",
      mimeType: "text/csv",
      // Windows-1252 has these letters at the same numbers as Latin-1, and the euro at 0x80.
      buffer: Buffer.from(rows.join("\r\n").replaceAll("€", "\u0080"), "latin1"),
    });
    const findings = page.locator(".bring .findings");
    const broken = SHOP_ROWS.with(4, `${SHOP_ROWS[4]};colis;de trop`);
    await field.setInputFiles(file(broken));
    // The row as Excel counts: the cell above has two lines, and one row is empty.
    await findings.getByText("Ligne 5\u00a0: la colonne D contient un texte").waitFor();
    expect(await page.locator(".coming").count()).toBe(0);
    const unclosed = SHOP_ROWS.with(6, 'Avez-vous un magasin ?;"Oui, à Lyon');
    await field.setInputFiles(file(unclosed));
    await findings.getByText(/Ligne 7, colonne B \(Réponse\).*guillemet/).waitFor();
    await field.setInputFiles(file(SHOP_ROWS));
    await page.locator(".bring select").selectOption("fr");
    await page
      .locator(".coming")
      .getByText(/Contenus\s: 50/)
      .waitFor();
    await findings.getByText("Il a été lu en windows-1252").waitFor();
    await page.locator(".left summary").click();
    const left = page.locator(".left li");
    await left
      .getByText(
        "Ligne 9, colonne B (Réponse)\u00a0: «\u00a0Livrez-vous à l'étranger ?\u00a0» n’a pas",
      )
      .waitFor();
    await left.getByText(/Ligne 10, colonne A \(Question\).*figure déjà à la ligne 2/).waitFor();
    expect(await left.count()).toBe(2);
    expect(await axe(page)).toEqual([]);
    await picture(page, "console-import-shop");
    await page.locator(".bring .primary").click();
    await page.locator(".bring .good").waitFor();
    const written = await readFile(join(backend, "Questions-boutique.fr.yaml"), "utf8");
    expect(written).toContain("Où est ma commande ?");
    expect(written).toContain("Par e-mail.<br>Ou par téléphone");
  });

  it("lists what a bot leaves behind after its import too, and takes the import back from the history", async () => {
    const { url, backend } = await started();
    const page = await openConsoleAt(url, `#${PAUL}`);
    await page.locator(".sentences").waitFor();
    await page.evaluate(() => (location.hash = "#/import"));
    const field = page.locator(".drop input");
    const bot = { name: "bot.yml", mimeType: "application/yaml", buffer: Buffer.from(BOT) };
    await field.setInputFiles(bot);
    await page.locator(".bring select").selectOption("en");
    await page.getByRole("button", { name: "Bring these contents along" }).click();
    await page.getByText("Written: backend/bot.en.yaml. The bot answers").waitFor();
    await page.getByText("What does not come along as it is: 4").click();
    const left = page.locator(".left");
    await left.locator("li", { hasText: "Write it as a form. (3)" }).first().waitFor();
    await left.getByText('slot "city"').waitFor();
    await left.getByText("Only the first wording comes along").waitFor();
    expect(await axe(page)).toEqual([]);
    await picture(page, "console-import-left");
    await page.evaluate(() => (location.hash = "#/changes"));
    await page.getByText("paul brought contents along from bot.yml (Rasa): 2").waitFor();
    await page.getByRole("button", { name: "Restore the texts from before" }).click();
    await page.locator(".restore").getByText("when do you open").first().waitFor();
    await picture(page, "console-import-restore");
    expect(await readdir(backend)).toContain("bot.en.yaml");
    await page.getByRole("button", { name: "Restore", exact: true }).click();
    await page.getByText(/^paul took back #1: /).waitFor();
    expect(await readdir(backend)).not.toContain("bot.en.yaml");
  });

  it("says in the page's language what is wrong with an empty file, a photo, a PDF and a broken file", async () => {
    const { url } = await started();
    const page = await openConsoleAt(url, `#${ADMIN}`, { locale: "fr" });
    await page.locator(".sentences").waitFor();
    await page.evaluate(() => (location.hash = "#/import"));
    const send = (name: string, bytes: Buffer) =>
      page.locator(".drop input").setInputFiles({ name, mimeType: "", buffer: bytes });
    const problem = page.locator(".bring .findings li");
    await send("vide.csv", Buffer.alloc(0));
    await problem.getByText(/^Erreur Le fichier est vide/).waitFor();
    await send("photo.jpg", Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]));
    await problem.getByText(/de ce type \(JPEG\)/).waitFor();
    await send("faq.pdf", Buffer.from("%PDF-1.7\n"));
    await problem.getByText(/de ce type \(PDF\)/).waitFor();
    await send("nlu.yml", Buffer.from(BOT.replace("  examples", "\texamples")));
    await problem.getByText("Cette ligne commence par une tabulation.").waitFor();
    expect(await problem.locator("[lang=en]").count()).toBe(0);
    expect(await page.locator(".bring .primary").count()).toBe(0);
    expect(await axe(page)).toEqual([]);
    await picture(page, "console-import-broken");
  });

  it.each([
    ["fr", { locale: "fr", viewport: { width: 1280, height: 800 } }],
    ["ar", { locale: "ar", viewport: { width: 390, height: 800 }, hasTouch: true }],
  ] as const)("speaks %s, on a phone too", async (language, options) => {
    const { url } = await started();
    const page = await openConsoleAt(url, `#${ADMIN}`, options);
    await page.locator(".sentences").waitFor();
    await page.evaluate(() => (location.hash = "#/import"));
    await page.locator(".drop input").setInputFiles(sheet());
    await page.locator(".bring select").selectOption("fr");
    await page.locator(".coming blockquote[dir=ltr]").first().waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe(language);
    const width = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(width).toBe(0);
    expect(await axe(page)).toEqual([]);
    await picture(page, `console-import-${language}`);
  });

  it("lets a token that may edit preview an import, and only one that may publish write it", async () => {
    const { ask, backend } = await started();
    const file = Buffer.from(SHEET).toString("base64");
    const json = { name: "faq.csv", file, language: "fr" };
    expect((await ask(VERA, json)).status).toBe(403);
    expect(await ask(EVE, json)).toMatchObject({
      status: 200,
      body: { format: "sheet", written: false, files: [{ contents: 2, phrases: 3 }] },
    });
    expect((await ask(EVE, { ...json, write: true })).status).toBe(403);
    expect(await readdir(backend)).not.toContain("faq.fr.yaml");
    expect((await ask(PAUL, { ...json, file: "%" })).status).toBe(422);
    expect((await ask(PAUL, { ...json, file: "A".repeat(5_000_000) })).status).toBe(413);
    expect(await ask(PAUL, { ...json, write: true })).toMatchObject({
      status: 200,
      body: { written: true, files: [{ file: "backend/faq.fr.yaml" }] },
    });
  });
});
