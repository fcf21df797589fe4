// Pages about oneself, in Spanish.
import { html } from '@lothub/kit/html';
import type { PeopleWords } from './en.ts';

export const es = {
  fields: {
    name: 'Su nombre',
    nameHint: 'Tal como lo ven los demás.',
    email: 'Correo electrónico',
    password: 'Contraseña',
    passwordHint: (characters) =>
      `Al menos ${characters} caracteres; varias palabras juntas son una buena elección.`,
    lookAtFields: 'Revise los campos marcados.',
  },
  logIn: {
    signOn: 'Entrar con inicio de sesión único',
    title: 'Iniciar sesión',
    noRegistration: 'No hay registro: alguien le invita con un enlace.',
    lostPassword: '¿Ya no tiene su contraseña? Quien opera este servicio crea una nueva.',
  },
  signOn: {
    advice: {
      expired:
        'Este inicio de sesión ya se usó, tardó demasiado o comenzó en otro navegador. Empiece de nuevo.',
      no_account:
        'Aún no tiene una cuenta aquí. Pida una invitación a un responsable de su marca o a quien opera la plataforma; abra su enlace e inicie sesión desde allí.',
      email_unverified:
        'El proveedor no dice que su correo electrónico esté verificado. Haga que lo verifiquen allí y vuelva a iniciar sesión.',
      other_person:
        'La cuenta con su correo electrónico pertenece en el proveedor a otra persona, que tenía el correo antes que usted. Pida a quien opera la plataforma que quite esa cuenta.',
      account_removed:
        'La cuenta se quitó en el mismo momento. Pregunte a quien opera la plataforma.',
      provider_refused:
        'El proveedor no inició su sesión. Vuelva a intentarlo o pregunte a quien lo opera.',
      provider_away: 'El proveedor no responde. Vuelva a intentarlo en un minuto.',
      answer_wrong:
        'La respuesta del proveedor no es de fiar, y nadie inició sesión. Empiece de nuevo, y avise a quien opera la plataforma si eso no ayuda.',
      clocks_differ:
        'Los relojes del proveedor y de este servicio difieren, o el inicio de sesión tardó demasiado. Empiece de nuevo, y avise a quien opera la plataforma si eso no ayuda.',
    },
  },
  setUp: {
    title: 'Puesta en marcha',
    send: 'Poner en marcha',
    hub: {
      heading: 'Poner en marcha esta plataforma',
      lead: 'Usted pasa a operarla: invita al primer responsable de cada marca.',
    },
    inbox: {
      heading: 'Poner en marcha esta bandeja',
      lead: 'Usted es la primera persona en ella, y su primer grupo le pertenece.',
      group: 'Primer grupo',
      groupName: 'Avisos',
      groupHint: 'Quien está en un grupo ve lo que se publica en él.',
    },
  },
  invitation: {
    title: 'Invitación',
    join: (place) => html`Entrar en ${place}`,
    operate: 'Operar esta plataforma',
    operatorsInvite: 'Tiene una invitación',
    into: {
      member: (by) =>
        html`${by} le invita a este grupo. Verá lo que se publica en él a medida que llega.`,
      owner: (by) =>
        html`${by} le invita a este grupo como uno de sus propietarios. Verá lo que se publica en él
        a medida que llega.`,
      viewer: (by) =>
        html`${by} le invita a esta marca, para leer. Leerá todo lo que tiene la marca.`,
      quality: (by) =>
        html`${by} le invita a esta marca, para calidad. Podrá bloquear lotes, simular, retirar,
        corregir e importar.`,
      manager: (by) =>
        html`${by} le invita a esta marca como responsable. Gestionará también sus personas y
        claves.`,
      operator: (by) =>
        html`${by} le invita a operar esta plataforma. Verá todas las marcas, y nada de lo que
        guardan para sí.`,
    },
    commandLine: 'Quien opera la plataforma',
    makeAccount: 'Crear una cuenta y entrar',
    haveAccount: '¿Tiene una cuenta?',
    logInFirst: 'Inicie sesión',
    thenJoin: ' y entre con ella.',
    joinAs: (name) => html`Entrar como ${name}`,
  },
  account: {
    name: 'Nombre',
    save: 'Guardar',
    password: 'Contraseña',
    passwordEnds: 'Con una nueva terminan todas sus otras sesiones.',
    oldPassword: 'Contraseña actual',
    newPassword: 'Contraseña nueva',
    changePassword: 'Cambiar la contraseña',
    notYourPassword: 'Esta no es su contraseña.',
    sessions: 'Sesiones',
    whereLoggedIn: 'Dónde ha iniciado sesión',
    browser: 'Navegador',
    since: 'Desde',
    lastSeen: 'Último uso',
    actions: 'Acciones',
    thisOne: 'Esta',
    end: 'Terminar',
    endAbout: (browser) => `la sesión de ${browser}`,
    endOthers: 'Terminar todas las demás sesiones',
    endOthersAsked: '¿Terminar de verdad todas las demás sesiones?',
    unknownBrowser: 'Navegador desconocido',
    browserOn: (browser, system) => `${browser} en ${system}`,
    data: 'Sus datos',
    dataLead: 'Todo lo que se guarda sobre su cuenta, en un archivo (JSON).',
    export: 'Guardar el archivo',
    erase: 'Borrar la cuenta',
    eraseLead:
      'Terminan todas sus sesiones; se borran su correo electrónico y su contraseña. Su nombre permanece donde es una prueba: en la auditoría y en lo que usted decidió.',
    eraseHow:
      'Guarde antes sus datos. Escriba después su correo electrónico para borrar la cuenta.',
    eraseNow: 'Borrar mi cuenta',
    notYourEmail: 'Este no es su correo electrónico.',
  },
} satisfies PeopleWords;
