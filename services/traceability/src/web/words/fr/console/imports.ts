// The console, importing files, in French.
import { html } from '@lothub/kit/html';
import type { Words } from '../../en.ts';

export const imports = {
  title: 'Importer',
  lead: 'Des événements d’un fichier CSV ou Excel. Le fichier est d’abord vérifié ; rien n’est enregistré avant votre accord.',
  send: {
    title: 'Nouveau fichier',
    label: 'Fichier CSV ou Excel (.xlsx)',
    hint: (csv, workbook) => `CSV jusqu’à ${csv}, Excel jusqu’à ${workbook}.`,
    drop: 'Déposez le fichier ici ou choisissez-le.',
    button: 'Examiner le fichier',
    sending: 'Envoi du fichier …',
    template: 'Modèle à remplir (Excel)',
  },
  refused: {
    brand_full: (most) =>
      `${most} fichiers de cette marque attendent déjà. Importez-en ou supprimez-en un d’abord.`,
    hub_full: 'Trop de fichiers attendent sur cette plateforme. Réessayez plus tard.',
    workbook_too_large: (most) =>
      `Ce classeur dépasse ${most}. Enregistrez sa feuille en CSV et envoyez-la.`,
    too_large: (most) => `Ce fichier dépasse ${most}. Divisez-le.`,
    empty: 'Ce fichier est vide.',
    old_workbook:
      'C’est un classeur d’un ancien programme, ou protégé par un mot de passe. Enregistrez-le en .xlsx sans mot de passe.',
    noFile: 'Choisissez d’abord un fichier.',
    incomplete: 'Le fichier n’est pas arrivé en entier. Envoyez-le de nouveau.',
    changed: 'Quelqu’un a été plus rapide : voici où en est cet import.',
    elsewhere: (machine) =>
      html`Ce fichier attend sur une autre machine de la plateforme, ${machine}. Elle seule peut
      continuer ; ou envoyez le fichier de nouveau.`,
  },
  list: {
    title: 'Imports précédents',
    none: 'Aucun fichier n’a encore été importé. Envoyez le premier ci-dessus ; le modèle montre les colonnes possibles.',
    noneForViewer: 'Aucun fichier n’a encore été importé.',
    noneFound: 'Aucun import ne correspond à ces filtres.',
    withErrors: 'Avec des erreurs',
    file: 'Fichier',
    when: 'Envoyé',
    who: 'Par',
    rows: 'Lignes',
    accepted: 'Enregistrés',
    rejected: 'Erronés',
    state: 'État',
    byKey: 'par l’interface',
    unnamed: 'sans nom',
    kept: (days) => `Les imports restent ${days} jours dans cette liste.`,
  },
  states: {
    open: 'Colonnes à examiner',
    checking: 'Vérification',
    checked: 'Vérifié',
    importing: 'Import en cours',
    imported: 'Importé',
    stopped: 'Interrompu',
    failed: 'Non importé',
    removed: 'Supprimé',
  },
  facts: {
    rows: 'Lignes',
    events: 'Événements',
    wouldBeStored: 'Seraient enregistrés',
    stored: 'Enregistrés',
    duplicates: 'Déjà présents',
    wrong: 'Erronés',
  },
  read: {
    title: 'Comment le fichier a été lu',
    encoding: 'Encodage',
    delimiter: 'Entre les cellules',
    sheet: 'Feuille',
    decimal: 'Décimales',
    dates: 'Dates',
    timeZone: 'Fuseau horaire',
    timeZoneHint: 'Des heures qui n’en ont pas.',
    timeOfDay: 'Heure des dates sans heure',
    auto: 'comme dans le fichier',
    delimiters: { comma: 'virgule', semicolon: 'point-virgule', tab: 'tabulation' },
    marks: { point: '1234.5 (point)', comma: '1234,5 (virgule)' },
    orders: { dmy: 'jour, mois, année', mdy: 'mois, jour, année', ymd: 'année, mois, jour' },
    found: (what) => `trouvé : ${what}`,
    again: 'Relire',
  },
  columns: {
    title: 'Ce que sont les colonnes',
    lead: 'Dites pour chaque colonne du fichier ce qu’elle est, ou laissez-la de côté.',
    kept: 'Ces colonnes ont été attribuées pour un fichier précédent ; il en va de même ici. Vous pouvez le modifier.',
    guessed: 'Ce que suggèrent les noms des colonnes est déjà choisi. Vérifiez que c’est juste.',
    sample: 'Premières valeurs',
    leaveOut: 'laisser de côté',
    check: 'Vérifier le fichier',
    missingTitle: 'Ce que le fichier ne dit pas',
    missingLead:
      'Chaque événement en a besoin et aucune colonne ne l’indique : dites ce qui vaut pour toutes les lignes.',
    usual: 'comme d’habitude pour ce type d’événement',
    directions: { in: 'entrée (reçu ou utilisé)', out: 'sortie (fabriqué, expédié ou vendu)' },
    referenceHint:
      'Par exemple le numéro d’un bon de livraison. Les lignes de mêmes type, date et référence forment un événement.',
    missing: (field) =>
      `Aucune colonne n’est « ${field} ». Choisissez-en une, ou dites ci-dessous ce qui vaut pour toutes les lignes.`,
    twice: (field) => `Deux colonnes sont « ${field} ». Laissez-en une de côté.`,
    change: 'Modifier les colonnes',
    notAZone: 'Aucun fuseau horaire ne porte ce nom.',
    notATime: 'Écrivez une heure telle que 12:00.',
  },
  fields: { external_id: 'Identifiant de l’événement', event_type: 'Type d’événement' },
  running: {
    checking: 'Le fichier est en cours de vérification.',
    importing: 'Les événements sont en cours d’enregistrement.',
    progress: (done, all) => `Événements : ${done} sur ${all}`,
    waits: 'Cette page se met à jour seule. Vous pouvez la quitter ; le travail continue.',
  },
  checked: {
    good: (events) => `Tout est bon. Événements à enregistrer : ${events}.`,
    some: (wrong) => `Événements erronés : ${wrong}.`,
    nothing: 'Tout ce que contient ce fichier est déjà enregistré.',
    noneGood: 'Aucun des événements ne peut être enregistré.',
    importNow: 'Importer maintenant',
    importGood: (events) => `N’importer que les bons événements (${events})`,
    importGoodLead: (wrong) =>
      `Événements erronés laissés de côté : ${wrong}. Corrigé plus tard, le même fichier les ajoutera.`,
    refused:
      'Depuis la vérification, autre chose a été enregistré qui fait obstacle. Rien de ce fichier ne l’a été ; voici une nouvelle vérification.',
    remove: 'Supprimer le fichier',
    removeLead: 'Le fichier est effacé de la plateforme. Rien n’en est enregistré.',
    removeNow: 'Supprimer maintenant',
  },
  wrong: {
    title: 'Lignes erronées',
    lead: 'Telles qu’elles sont dans le fichier, avec ce qui ne va pas. Corrigez une cellule ici, ou dans votre fichier et envoyez-le de nouveau.',
    leadImported: 'Ces lignes ont été laissées de côté.',
    row: (row) => `Ligne ${row}`,
    mend: 'Vérifier de nouveau avec ces cellules',
    next: 'Lignes erronées suivantes',
    empty: 'vide',
    noCells: 'Les cellules du fichier sont conservées un jour.',
  },
  warnings: {
    title: 'À regarder',
    rows: (rows) => `lignes ${rows}`,
    codes: {
      no_offset: 'Le fuseau horaire est inconnu : les heures ont été lues en UTC.',
      private_field_dropped:
        'Clients et canaux ne sont conservés que pour les ventes, destinataires que pour les expéditions ; les autres sont laissés de côté.',
      channel_unknown: 'Le canal de vente est inconnu : le public lit « autre ».',
      occurred_in_future: 'La date est à plus d’un jour dans l’avenir.',
      unusual_direction: 'Le sens est inhabituel pour ce type d’événement.',
      correction_without_target: 'Une correction sans l’événement qu’elle corrige ne change rien.',
      lot_on_hold: 'Un lot est bloqué.',
    },
  },
  done: {
    title: (events) => `Événements enregistrés : ${events}.`,
    none: 'Ce fichier ne contenait rien de nouveau.',
    rejected: (wrong) => `Événements laissés de côté : ${wrong}.`,
    blocks: 'Événements et leurs blocs',
    row: 'Ligne',
    event: 'Événement',
    block: 'Bloc',
    firstShown: (shown) => `Les ${shown} premiers.`,
    another: 'Importer un autre fichier',
  },
  stopped: {
    title: 'L’import s’est interrompu.',
    lead: (stored) =>
      `Événements enregistrés, au moins : ${stored}. Importez de nouveau : ce qui est enregistré est reconnu, le reste est ajouté.`,
    again: 'Importer de nouveau',
  },
  failed: { title: 'Rien de ce fichier n’a été enregistré.' },
  removed: { title: 'Ce fichier a été supprimé. Rien n’en a été enregistré.' },
  problems: {
    unreadable:
      'Le fichier ne peut pas être lu ainsi. Voyez le message, changez la manière de lire et vérifiez de nouveau.',
    disk_full:
      'Le disque de la plateforme est plein. Rien de plus n’a été enregistré ; prévenez ses opérateurs.',
    busy: 'La plateforme s’est arrêtée ou était surchargée. Réessayez.',
    defect: 'C’est un défaut de la plateforme ; son journal en dit plus.',
    refused: 'Le fichier a été refusé.',
  },
  errors: {
    missing: 'Cette valeur est requise.',
    enum: 'Ce n’est aucun des mots permis ici.',
    enumEventType:
      'Ce n’est pas un type d’événement : écrivez par exemple « réception », « fabrication » ou « expédition ».',
    enumDirection: 'Écrivez « entrée » ou « sortie ».',
    greater_than_equal: 'Ce nombre est trop petit.',
    less_than_equal: 'Ce nombre est trop grand.',
    string_too_short: 'C’est trop court.',
    string_too_long: 'C’est trop long.',
    too_long: 'Il y en a trop.',
    string_unicode:
      'Ces caractères sont illisibles : choisissez un autre encodage ou enregistrez le fichier en UTF-8.',
    decimal_max_digits: 'Un nombre a au plus 15 chiffres.',
    float_parsing: 'Ce n’est pas un nombre.',
    number_ambiguous:
      'Milliers ou décimales ? Choisissez le signe décimal sous « Modifier les colonnes ».',
    datetime_parsing: 'Ce n’est pas une date avec une heure qui existe.',
    datetime_ambiguous:
      'Cela peut être deux moments : choisissez l’ordre du jour et du mois, ou ajoutez le fuseau horaire.',
    spreadsheet_error: 'C’est une erreur du tableur : corrigez la formule.',
    scientific_notation:
      'Le tableur a perdu des chiffres : donnez à la colonne le format « texte » et saisissez le code de nouveau.',
    spreadsheet_number:
      'Le tableur a fait de ce code un nombre ou une date : donnez à la colonne le format « texte » et saisissez-le de nouveau.',
    code_invalid: 'Un code n’a ni caractères cachés ni espaces à ses bouts.',
    group_mismatch: 'Les lignes d’un même événement diffèrent ici.',
    too_many_cells: 'La ligne a plus de cellules que l’en-tête.',
    external_id_conflict: 'Cet identifiant appartient à un autre événement, au contenu différent.',
    regrown:
      'Un événement de ces type, date et référence est enregistré avec d’autres lignes : corrigez-le, ou donnez un identifiant à celui-ci.',
    duplicate_column: 'Deux colonnes sont le même champ.',
    csv_invalid: 'À partir d’ici, le texte n’est plus du CSV ; manque-t-il un guillemet ?',
    xlsx_invalid:
      'Le classeur est illisible : enregistrez-le en .xlsx sans mot de passe, ou en CSV.',
    extra_forbidden: 'Les colonnes du fichier ne sont pas celles qui ont été attribuées.',
    value_error: 'Le classeur n’a pas de feuille de ce nom.',
    other: 'Ce n’est pas valable.',
  },
} satisfies Words['console']['imports'];
