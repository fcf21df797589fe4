// Terms of the glossary: the chain, in German.
import type { Words } from '../../../en.ts';

export const chain = {
  words: {
    chain: 'Kette',
    block: 'Block',
    height: 'Höhe',
    genesis: 'erster Block',
    seal: 'versiegeln',
    replay: 'Wiederholung',
    correction: 'Korrektur',
    effectiveValue: 'gültiger Wert',
    void: 'für nichtig erklären',
    commitment: 'Festlegung',
    erase: 'löschen',
    verify: 'prüfen',
    verifier: 'Prüfer',
    chainValid: 'Kette in Ordnung',
    proof: 'Nachweis',
  },
  sentences: {
    chain:
      'Die eine Folge von Blöcken einer Plattform, an die nur angehängt wird, alle Mandanten zusammen. Erkennbar am Hash ihres ersten Blocks.',
    block:
      'Ein versiegelter Inhalt: Höhe, Hash, genauer Text. Nie verändert, nachdem er angehängt wurde.',
    height:
      'Die Stelle eines Blocks; der erste ist 0. Die Kennung eines Ereignisses ist die Höhe seines Blocks.',
    genesis:
      'Block 0. Er nennt die Plattform und enthält einen Zufallswert, damit keine zwei Ketten gleich sind.',
    seal: 'Aus einem Entwurf einen Block machen: ihm Höhe, Zeit und den Hash des vorigen geben und ihn selbst hashen.',
    replay:
      'Dasselbe Ereignis, noch einmal gesendet. Die Antwort ist der Block vom ersten Mal, und nichts wird angehängt.',
    correction:
      'Ein Block, der sagt, welche Felder eines früheren Ereignisses falsch waren und was richtig ist. Der frühere Block bleibt, wie er ist.',
    effectiveValue:
      'Der Wert eines Felds nach allen Korrekturen; der ursprüngliche ist der zuerst aufgezeichnete.',
    void: 'Den Status eines Ereignisses zu `voided` korrigieren: Es ist nicht geschehen.',
    commitment:
      'Ein Hash über vertrauliche Werte und einen Zufallswert, anstelle der Werte. Wer beides hat, kann ihn prüfen; ohne beides sagt er nichts.',
    erase:
      'Vertrauliche Werte und ihre Zufallswerte für immer entfernen. Jeder Hash stimmt danach noch.',
    verify:
      'Gespeicherte Blöcke noch einmal hashen, jede Verbindung vergleichen, und die abgeleiteten Zeilen mit ihren Blöcken.',
    verifier:
      'Liest im Hintergrund Runde um Runde, in Abschnitten, die Anfragen nicht stören. Von mehreren Prozessen tut es immer nur einer.',
    chainValid:
      'Keine Abweichung ist bekannt. Ist es einmal falsch, bleibt es so, bis die vollständige Prüfung eines Betreibers gelingt.',
    proof: 'Höhe und Hash jedes Blocks, der eine Charge nennt, für alle, die selbst prüfen wollen.',
  },
} satisfies Words['console']['help']['terms']['chain'];
