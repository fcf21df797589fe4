module lothub.example/loader

go 1.24
